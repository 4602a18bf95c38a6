/* The plugin sees the argument of the system call. */
#include <unistd.h>
static inline void evariste_mark(void) { (void)close(0x4d41524b); }
