#ifndef CLOCALE_H
#define CLOCALE_H

#include <stdbool.h>
#include <stdint.h>

/// Chooses a UTF-8 character type, preferably the user's; false if the system has none.
bool cle_choose_locale(void);

/// The number of columns of a scalar: 0, 1 or 2; -1 for one that cannot be shown.
int cle_width(uint32_t scalar);

#endif
