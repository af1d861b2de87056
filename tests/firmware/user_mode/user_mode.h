/* What kernel and user agree on. */

#ifndef USER_MODE_H
#define USER_MODE_H

#include <stdint.h>

/* Where the user's memory is, of which pages come when they are needed; the first of them are its heap,
 * and its stack ends where it ends. */
#define AREA      0x01000000u
#define AREA_SIZE 0x00100000u
/* Addresses that lead nowhere, and those of a domain that nobody has access to. */
#define NOWHERE   0x03000000u
#define NO_DOMAIN 0x04000000u

enum call { CALL_EXIT, CALL_PRINT, CALL_FILL, CALL_DROP, CALL_PAGES };

/* What the kernel keeps to itself, in a page of its own. */
extern uint32_t secret[1024];

void user_program(void);

#endif
