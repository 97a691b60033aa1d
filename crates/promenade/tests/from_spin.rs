//! The chapter about SPIN speaks of every option that SPIN has.
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Options of `spin`, of SPIN 6.5.2.
const SPIN: &str = "-a -run -search -replay -t -k -p -g -l -s -r -v -w -c -M -i -n -u -j -h -b -B -T -q -m -f -F -N -e -L -A -C -d -I -Z -pp \
    -D -U -E -P -J -O -o1 -o2 -o3 -o4 -o5 -o6 -o7 -S1 -S2 -x -X -Y -V -simulate -bfs -bfspar -dfspar -bcs -bitstate -bit -hc -collapse \
    -noclaim -noreduce -np -safety -ltl -link -p_permute -p_rotateN -p_reverse -permuted -rhash -biterateN,M -swarmN,M -W";

/// Options of its verifier.
const PAN: &str = "-a -l -f -A -E -b -cN -e -i -I -mN -n -N -q -QN -wN -kN -MN -GN -hN -hash -rhash -RSN -Rn -LN -J -d -D -r -C -g -S -PN \
    -tSuf -T -x -t_reverse -T0 -T1 -i_reverse -P0 -P1 -p_permute -p_rotateN -p_randrot -p_reverse -p_normal -uN -zN -pN -v -V -X -Y -B -U -W -Z -FFile";

/// What it can be compiled with.
const DEFINES: &str = "SAFETY NP NOCLAIM NOFAIR NFAIR NOREDUCE BFS BFS_PAR BCS REACH NOSTUTTER CTL GLOB_ALPHA XUSAFE NIBIS Q_PROVISO V_PROVISO FULLSTACK \
    CNTRSTACK LOOPSTATE BITSTATE COLLAPSE HC HC0 HC1 HC2 HC3 HC4 MA R_XPT W_XPT NOCOMP NOVSZ SEPQS JOINPROCS COLLAPSE2 COLLAPSE3 COLLAPSE4 SPACE SC LC ZAPH \
    RANDSTORE TRIX SFH MURMUR HASH32 HASH64 VECTORSZ MEMLIM MEMCNT NO_RESIZE AUTO_RESIZE BFS_DISK BFS_LIMIT BFS_DSK_LIMIT BFS_MAXPROCS BFS_QSZ BFS_SEP_HASH \
    BFS_NOTRAIL BFS_GREEDY STOP_ON_FULL NO_HC NO_CAS L_BOUND NCORE DUAL_CORE QUAD_CORE SEP_STATE FULL_TRAIL USE_DISK NGQ VMAX PMAX QMAX SET_SEG_SIZE \
    SET_WQ_SIZE T_ALERT P_RAND T_RAND P_REVERSE T_REVERSE PERMUTED RHASH PUTPID NOBOUNDCHECK CHECK VERBOSE DEBUG SDUMP SVDUMP PEG VAR_RANGES NSUCC PRINTF FREQ \
    ON_EXIT C_INIT C_EXIT INIT_STATE NXT PC WIN32 WIN64 CYGWIN MAC SOLARIS CPP";

/// What stands in backquotes in the first column of the tables of a section.
fn left_columns(section: &str) -> BTreeSet<String> {
    let rows = section.lines().filter(|it| it.starts_with("| `")).filter_map(|it| it.split(" | ").next());
    rows.flat_map(|it| it.split('`').skip(1).step_by(2)).map(str::to_string).collect()
}

fn missing(options: &str, section: &str) -> Vec<String> {
    let there = left_columns(section);
    options.split_whitespace().filter(|it| !there.contains(*it)).map(str::to_string).collect()
}

#[test]
fn every_option_of_spin_has_a_row() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/manual/from-spin.md");
    let text = fs::read_to_string(file).expect("the chapter");
    let sections: Vec<&str> = text.split("\n## ").skip(1).collect();
    for (options, section) in [SPIN, PAN, DEFINES].into_iter().zip(&sections) {
        assert_eq!(missing(options, section), Vec::<String>::new(), "{}", section.lines().next().unwrap_or_default());
    }
    assert_eq!(sections.len(), 3);
}

#[test]
fn an_option_without_a_row_is_noticed() {
    assert_eq!(missing("-a -b", "| `-a`, `-c` | `-b` |"), ["-b"]);
}

/// The options that our notes about SPIN name are those of the lists above, where the notes are there.
#[test]
fn the_lists_are_those_of_the_notes() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/promela.md");
    let Ok(text) = fs::read_to_string(file) else { return println!("skipped: ../shared/promela.md is not there") };
    let section = text.split("### 2.3").nth(1).and_then(|it| it.split("\n## ").next()).unwrap_or_default();
    let section = section.split("* Incompatibilities").next().unwrap_or_default();
    let known: BTreeSet<&str> = DEFINES.split_whitespace().collect();
    let words = section.split('`').skip(1).step_by(2).flat_map(|it| it.split(&[' ', ',', '='][..]));
    let is_define =
        |it: &&str| it.len() > 1 && it.chars().all(|it| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_');
    let unknown: Vec<&str> = words.filter(is_define).filter(|it| !known.contains(it) && *it != "MB").collect();
    assert_eq!(unknown, Vec::<&str>::new());
}
