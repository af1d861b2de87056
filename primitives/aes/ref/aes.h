/* The name that the keys have in every size. */

#ifndef AES_H
#define AES_H

#include "aes128.h"

typedef AES128_KEYS AES_KEYS;

#endif
