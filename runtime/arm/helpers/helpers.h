/* The compiler's helpers for arithmetic that a core lacks.
 *
 * Names and meanings: "Run-time ABI for the Arm Architecture" (IHI 0043) and "The GCC low-level runtime
 * library", GCC internals manual, chapter 4. */

#ifndef COCRYPT_ARM_HELPERS_H
#define COCRYPT_ARM_HELPERS_H

#include <stddef.h>
#include <stdint.h>

uint32_t __aeabi_uidiv(uint32_t a, uint32_t b);
int32_t  __aeabi_idiv(int32_t a, int32_t b);
/* The quotient in the low half, and the remainder in the high half. */
uint64_t __aeabi_uidivmod(uint32_t a, uint32_t b);
uint64_t __aeabi_idivmod(int32_t a, int32_t b);
/* The C functions behind __aeabi_uldivmod and __aeabi_ldivmod. */
uint64_t cocrypt_uldivmod(uint64_t a, uint64_t b, uint64_t *rest);
uint64_t cocrypt_ldivmod(int64_t a, int64_t b, uint64_t *rest);

uint64_t __aeabi_llsl(uint64_t a, int count);
uint64_t __aeabi_llsr(uint64_t a, int count);
int64_t  __aeabi_lasr(int64_t a, int count);
int      __aeabi_lcmp(int64_t a, int64_t b);
int      __aeabi_ulcmp(uint64_t a, uint64_t b);

void __aeabi_memcpy(void *to, const void *from, size_t size);
void __aeabi_memcpy4(void *to, const void *from, size_t size);
void __aeabi_memcpy8(void *to, const void *from, size_t size);
void __aeabi_memmove(void *to, const void *from, size_t size);
void __aeabi_memmove4(void *to, const void *from, size_t size);
void __aeabi_memmove8(void *to, const void *from, size_t size);
void __aeabi_memset(void *at, size_t size, int value);
void __aeabi_memset4(void *at, size_t size, int value);
void __aeabi_memset8(void *at, size_t size, int value);
void __aeabi_memclr(void *at, size_t size);
void __aeabi_memclr4(void *at, size_t size);
void __aeabi_memclr8(void *at, size_t size);

#endif
