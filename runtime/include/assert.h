/* assert: a false condition ends the run with exit code 134, as abort does (C11, 7.2). */

#undef assert

#ifdef NDEBUG
#define assert(condition) ((void)0)
#else
#define assert(condition) ((condition) ? (void)0 : cocrypt_failed(#condition, __FILE__, __LINE__))
#endif

#ifndef COCRYPT_ASSERT_H
#define COCRYPT_ASSERT_H

_Noreturn void cocrypt_failed(const char *condition, const char *file, int line);

#ifndef static_assert
#define static_assert _Static_assert
#endif

#endif
