inline f0() { skip }
inline f1() { f0(); f0(); f0(); f0(); f0(); f0(); f0(); f0(); f0(); f0() }
inline f2() { f1(); f1(); f1(); f1(); f1(); f1(); f1(); f1(); f1(); f1() }
inline f3() { f2(); f2(); f2(); f2(); f2(); f2(); f2(); f2(); f2(); f2() }
inline f4() { f3(); f3(); f3(); f3(); f3(); f3(); f3(); f3(); f3(); f3() }
inline f5() { f4(); f4(); f4(); f4(); f4(); f4(); f4(); f4(); f4(); f4() }
inline f6() { f5(); f5(); f5(); f5(); f5(); f5(); f5(); f5(); f5(); f5() }
inline f7() { f6(); f6(); f6(); f6(); f6(); f6(); f6(); f6(); f6(); f6() }
inline f8() { f7(); f7(); f7(); f7(); f7(); f7(); f7(); f7(); f7(); f7() }
inline f9() { f8(); f8(); f8(); f8(); f8(); f8(); f8(); f8(); f8(); f8() }

active proctype p() {
    f9()
}
