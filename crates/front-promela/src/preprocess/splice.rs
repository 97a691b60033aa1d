//! Line splicing: a `\` at the end of a line joins it with the next one.
//!
//! This is the second of C's translation phases and happens before words exist,
//! so that even a name may be written on two lines. The scanner therefore reads
//! a text without the joints; a table of them leads back to the file.
use std::ops::Range;

/// A file's text without its joints.
#[derive(Debug)]
pub(super) struct Spliced {
    /// What the scanner reads.
    pub text: String,
    /// For each joint its place in `text`, and how many bytes of the file are missing up to there.
    joints: Vec<(u32, u32)>,
}

impl Spliced {
    /// Removes the joints.
    pub fn new(file: &str) -> Spliced {
        let mut spliced = Spliced { text: String::with_capacity(file.len()), joints: Vec::new() };
        let (mut kept, mut missing) = (0, 0);
        for (at, _) in file.match_indices('\\') {
            if let Some(length) = joint(&file[at..]) {
                spliced.text.push_str(&file[kept..at]);
                missing += length as u32;
                spliced.joints.push((spliced.text.len() as u32, missing));
                kept = at + length;
            }
        }
        spliced.text.push_str(&file[kept..]);
        spliced
    }

    /// Where a range of `text` stands in the file.
    pub fn in_file(&self, range: Range<usize>) -> Range<u32> {
        let start = self.offset(range.start as u32);
        let end = if range.is_empty() { start } else { self.offset(range.end as u32 - 1) + 1 };
        start..end
    }

    /// Where a byte of `text` stands in the file.
    fn offset(&self, at: u32) -> u32 {
        let before = self.joints.partition_point(|&(joint, _)| joint <= at);
        at + before.checked_sub(1).map_or(0, |last| self.joints[last].1)
    }
}

/// The length of the joint that starts here, if one does. Like gcc, forgives blanks behind the `\`.
fn joint(text: &str) -> Option<usize> {
    let blanks = text[1..].bytes().take_while(|byte| b" \t\r\x0b\x0c".contains(byte)).count();
    (text.as_bytes().get(1 + blanks) == Some(&b'\n')).then_some(blanks + 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `at` is looked for in the spliced text; `place` is where the file has it.
    #[track_caller]
    fn check(file: &str, text: &str, at: &str, place: Range<u32>) {
        let spliced = Spliced::new(file);
        assert_eq!(spliced.text, text);
        let start = text.find(at).expect("a part of the text");
        assert_eq!(spliced.in_file(start..start + at.len()), place);
    }

    #[test]
    fn a_text_without_joints_stays_as_it_is() {
        check("a \\ b\n\\", "a \\ b\n\\", "b", 4..5);
    }

    #[test]
    fn a_joint_vanishes_and_offsets_lead_back_to_the_file() {
        check("ab\\\ncd ef", "abcd ef", "ab", 0..2);
        check("ab\\\ncd ef", "abcd ef", "abcd", 0..6);
        check("ab\\\ncd ef", "abcd ef", "cd", 4..6);
        check("ab\\\ncd ef", "abcd ef", "ef", 7..9);
    }

    #[test]
    fn blanks_and_a_carriage_return_may_stand_behind_the_backslash() {
        check("a\\ \t\r\nb", "ab", "b", 6..7);
        check("a\\\n\\\nb", "ab", "b", 5..6);
    }
}
