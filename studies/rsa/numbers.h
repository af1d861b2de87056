/* What the options compute with: numbers modulo an odd one, as primitives/rsa/fast has them. Its header is named
 * by its path, since others are called so too. */

#ifndef NUMBERS_H
#define NUMBERS_H

#include "../../primitives/rsa/fast/fast.h"

#endif
