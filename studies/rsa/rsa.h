/* RSA on numbers alone, where somebody looks for it here. */

#ifndef STUDY_RSA_H
#define STUDY_RSA_H

#include "../../primitives/rsa/common/rsa_raw.h"

#endif
