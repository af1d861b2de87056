/* The type of the round keys, under the name that all key sizes use. */

#ifndef AES_H
#define AES_H

#include "aes128.h"

typedef AES128_KEYS AES_KEYS;

#endif
