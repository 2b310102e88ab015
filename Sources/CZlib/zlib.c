// A target of C needs one file that is compiled.
#include "CZlib.h"
