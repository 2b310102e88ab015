#include <stdbool.h>

void twin_wait(void);
bool twin_is_ready(void);
