//! Headers that are part of this program.
//!
//! Two are always ours: what `assert` and the operations on atomics expand to in a compiler's own headers hides what they are. The
//! others stand in for the system's when there are none and the user has chosen `--stub-headers`.

/// The text of a header that is always ours.
pub fn always(name: &str) -> Option<&'static str> {
    Some(match name {
        "assert.h" => "#undef assert\nextern void assert(int);\n#define static_assert _Static_assert\n",
        "stdatomic.h" => ATOMICS,
        "stdarg.h" => {
            "typedef __builtin_va_list va_list;\n#define va_start(a, b) __builtin_va_start(a, b)\n#define va_end(a) __builtin_va_end(a)\n\
             #define va_arg(a, t) __builtin_va_arg(a, t)\n#define va_copy(a, b) __builtin_va_copy(a, b)\n#ifndef __GNUC_VA_LIST\n\
             #define __GNUC_VA_LIST 1\ntypedef __builtin_va_list __gnuc_va_list;\n#endif\n"
        }
        _ => return None,
    })
}

/// The text of a header that stands in for the system's.
pub fn stub(name: &str) -> &'static str {
    match name {
        "stddef.h" => SIZES,
        "stdint.h" | "inttypes.h" | "sys/types.h" => INTEGERS,
        "stdbool.h" => "#define bool _Bool\n#define true 1\n#define false 0\n",
        "limits.h" => LIMITS,
        "pthread.h" | "threads.h" => THREADS,
        "semaphore.h" => "typedef struct __sem { int value; } sem_t;\n",
        "stdio.h" => STDIO,
        "stdlib.h" | "string.h" | "unistd.h" | "strings.h" => STDLIB,
        "errno.h" => {
            "extern int errno;\n#define EBUSY 16\n#define EINTR 4\n#define EAGAIN 11\n#define EINVAL 22\n#define ENOMEM 12\n#define ETIMEDOUT 110\n"
        }
        "time.h" | "sys/time.h" => {
            "typedef long time_t;\nstruct timespec { time_t tv_sec; long tv_nsec; };\nstruct timeval { time_t tv_sec; long tv_usec; };\n"
        }
        _ => "",
    }
}

const ATOMICS: &str = "\
typedef enum { memory_order_relaxed, memory_order_consume, memory_order_acquire, memory_order_release, memory_order_acq_rel, memory_order_seq_cst } memory_order;
typedef _Atomic _Bool atomic_bool;
typedef _Atomic char atomic_char;
typedef _Atomic signed char atomic_schar;
typedef _Atomic unsigned char atomic_uchar;
typedef _Atomic short atomic_short;
typedef _Atomic unsigned short atomic_ushort;
typedef _Atomic int atomic_int;
typedef _Atomic unsigned int atomic_uint;
typedef _Atomic long atomic_long;
typedef _Atomic unsigned long atomic_ulong;
typedef _Atomic long long atomic_llong;
typedef _Atomic unsigned long long atomic_ullong;
typedef _Atomic long atomic_intptr_t;
typedef _Atomic unsigned long atomic_uintptr_t;
typedef _Atomic unsigned long atomic_size_t;
typedef _Atomic long atomic_ptrdiff_t;
typedef _Atomic int atomic_int_fast32_t;
typedef _Atomic unsigned atomic_uint_fast32_t;
typedef struct atomic_flag { _Atomic _Bool value; } atomic_flag;
#define ATOMIC_FLAG_INIT { 0 }
#define ATOMIC_VAR_INIT(value) (value)
#define kill_dependency(y) (y)
";

const SIZES: &str = "\
typedef unsigned long size_t;
typedef long ssize_t;
typedef long ptrdiff_t;
typedef int wchar_t;
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
";

const INTEGERS: &str = "\
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
typedef long intmax_t;
typedef unsigned long uintmax_t;
typedef unsigned long size_t;
typedef long ssize_t;
typedef long off_t;
typedef int pid_t;
typedef unsigned int mode_t;
#define NULL ((void *)0)
#define INT32_MAX 2147483647
#define UINT32_MAX 4294967295U
#define INT64_MAX 9223372036854775807L
#define UINT64_MAX 18446744073709551615UL
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define INT8_MAX 127
#define INT16_MAX 32767
#define SIZE_MAX 18446744073709551615UL
";

const LIMITS: &str = "\
#define CHAR_BIT 8
#define CHAR_MAX 127
#define CHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-INT_MAX - 1)
#define UINT_MAX 4294967295U
#define LONG_MAX 9223372036854775807L
#define LONG_MIN (-LONG_MAX - 1L)
#define ULONG_MAX 18446744073709551615UL
";

const THREADS: &str = "\
typedef unsigned long pthread_t;
typedef struct __attr { int value; } pthread_attr_t;
typedef struct __mutex { int value; } pthread_mutex_t;
typedef struct __mutexattr { int value; } pthread_mutexattr_t;
typedef struct __cond { int value; } pthread_cond_t;
typedef struct __condattr { int value; } pthread_condattr_t;
typedef struct __rwlock { int value; } pthread_rwlock_t;
typedef struct __rwlockattr { int value; } pthread_rwlockattr_t;
typedef struct __barrier { int value; } pthread_barrier_t;
typedef struct __barrierattr { int value; } pthread_barrierattr_t;
typedef volatile int pthread_spinlock_t;
typedef int pthread_once_t;
typedef unsigned int pthread_key_t;
struct timespec { long tv_sec; long tv_nsec; };
#define PTHREAD_MUTEX_INITIALIZER { 0 }
#define PTHREAD_COND_INITIALIZER { 0 }
#define PTHREAD_RWLOCK_INITIALIZER { 0 }
#define PTHREAD_ONCE_INIT 0
#define PTHREAD_BARRIER_SERIAL_THREAD (-1)
#ifndef NULL
#define NULL ((void *)0)
#endif
";

const STDIO: &str = "\
typedef unsigned long size_t;
typedef struct __file FILE;
extern FILE *stdin, *stdout, *stderr;
#define NULL ((void *)0)
#define EOF (-1)
";

const STDLIB: &str = "\
typedef unsigned long size_t;
typedef long ssize_t;
#define NULL ((void *)0)
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1
extern void *malloc(size_t);
extern void *calloc(size_t, size_t);
extern void *realloc(void *, size_t);
extern void free(void *);
";

/// What a compiler defines before it reads anything, when there is none to ask.
pub const PREDEFINED: &str = "\
#define __STDC__ 1
#define __STDC_VERSION__ 201710L
#define __STDC_HOSTED__ 1
#define __LP64__ 1
#define _LP64 1
#define __x86_64__ 1
#define __linux__ 1
#define __unix__ 1
#define __CHAR_BIT__ 8
#define __SIZE_TYPE__ long unsigned int
#define __PTRDIFF_TYPE__ long int
#define __WCHAR_TYPE__ int
#define __INTMAX_TYPE__ long int
#define __UINTMAX_TYPE__ long unsigned int
#define __INT_MAX__ 0x7fffffff
#define __LONG_MAX__ 0x7fffffffffffffffL
#define __SIZEOF_INT__ 4
#define __SIZEOF_LONG__ 8
#define __SIZEOF_POINTER__ 8
#define __BYTE_ORDER__ 1234
#define __ORDER_LITTLE_ENDIAN__ 1234
";
