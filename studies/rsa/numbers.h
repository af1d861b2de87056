/* Arithmetic modulo an odd number for the options, from primitives/rsa/fast. The header is included by its path,
 * because other headers have the same name. */

#ifndef NUMBERS_H
#define NUMBERS_H

#include "../../primitives/rsa/fast/fast.h"

#endif
