#define _GNU_SOURCE
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE
#endif

#include "CTerminal.h"

#include "CStream.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#if defined(__APPLE__)
#include <TargetConditionals.h>
#endif

static int wake[2] = {-1, -1};
static atomic_uint interrupts, resizes, resumptions;

/// The guarded terminal. It is written while no handler is installed, or before the atomic that lets a handler
/// read it is set.
static int terminal_input = -1, terminal_output = -1;
static struct termios found_mode, our_mode;
static atomic_bool in_our_mode;
static const char *enter_text, *leave_text;
static bool ends_line;

/// The signals whose handlers the guard replaces, with the previous handlers.
static const int guarded[] = {
  SIGTSTP, SIGCONT, SIGWINCH,
  SIGTERM, SIGHUP, SIGQUIT,
  SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT,
};
#define GUARDED (sizeof guarded / sizeof *guarded)
static struct sigaction before[GUARDED];
static bool guarding;

/// Gives the crash handlers an alternate stack, because a crash may be a stack overflow.
static void use_crash_stack(void) {
// tvOS and watchOS have no terminal to restore, and refuse to compile the call.
#if !defined(__APPLE__) || !(TARGET_OS_TV || TARGET_OS_WATCH)
  static char crash_stack[65536];
  stack_t stack;
  if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE) != 0) {
    stack = (stack_t){.ss_sp = crash_stack, .ss_size = sizeof crash_stack};
    sigaltstack(&stack, NULL);
  }
#endif
}

void cle_wake(void) {
  int error = errno;
  // A full pipe wakes the poll too, so a failed write does not matter.
  ssize_t written = write(wake[1], "", 1);
  (void)written;
  errno = error;
}

void cle_drain(void) {
  char bytes[64];
  while (read(wake[0], bytes, sizeof bytes) > 0) continue;
}

int cle_wake_descriptor(void) {
  return wake[0];
}

uint32_t cle_interrupts(void) {
  return atomic_load(&interrupts);
}

uint32_t cle_resizes(void) {
  return atomic_load(&resizes);
}

uint32_t cle_resumptions(void) {
  return atomic_load(&resumptions);
}

static void on_interrupt(int signal) {
  (void)signal;
  atomic_fetch_add(&interrupts, 1);
  cle_wake();
}

static bool open_wake(void) {
  if (wake[0] >= 0) return true;
  int ends[2];
  if (!flux_pipe(ends)) return false;
  for (int i = 0; i < 2; i++) fcntl(ends[i], F_SETFL, O_NONBLOCK);
  wake[1] = ends[1];
  wake[0] = ends[0];
  return true;
}

bool cle_watch_interrupts(void) {
  if (!open_wake()) return false;
  struct sigaction now;
  if (sigaction(SIGINT, NULL, &now) != 0) return false;
  if (now.sa_handler == SIG_IGN || now.sa_handler == on_interrupt) return true;
  // Without SA_RESTART, so that a blocking read returns.
  struct sigaction action = {.sa_handler = on_interrupt};
  sigemptyset(&action.sa_mask);
  return sigaction(SIGINT, &action, NULL) == 0;
}

void cle_end_on_quit(void) {
  struct sigaction now;
  if (sigaction(SIGQUIT, NULL, &now) != 0 || now.sa_handler == SIG_IGN) return;
  signal(SIGQUIT, SIG_DFL);
}

static void say(const char *text) {
  if (text == NULL) return;
  ssize_t written = write(terminal_output, text, strlen(text));
  (void)written;
}

/// Restores the terminal. The program's mode stays recorded, to be set again.
static void give_back(void) {
  if (!atomic_load(&in_our_mode)) return;
  say(leave_text);
  tcsetattr(terminal_input, TCSANOW, &found_mode);
  // Ends the edited line, so that the next output begins on a new one.
  if (ends_line) say("\r\n");
}

/// Sets the program's mode again. In the background this stops the process until it is in the foreground.
static void take_again(void) {
  if (!atomic_load(&in_our_mode)) return;
  tcsetattr(terminal_input, TCSANOW, &our_mode);
  say(enter_text);
  atomic_fetch_add(&resumptions, 1);
  cle_wake();
}

static void on_stop(int signal_number) {
  int error = errno;
  give_back();
  // Takes the default action; the signal must be neither caught nor blocked.
  struct sigaction standard = {.sa_handler = SIG_DFL}, ours;
  sigset_t stop, blocked;
  sigemptyset(&standard.sa_mask);
  sigaction(signal_number, &standard, &ours);
  sigemptyset(&stop);
  sigaddset(&stop, signal_number);
  raise(signal_number);
  pthread_sigmask(SIG_UNBLOCK, &stop, &blocked);
  // The process stopped here and continues.
  pthread_sigmask(SIG_SETMASK, &blocked, NULL);
  sigaction(signal_number, &ours, NULL);
  take_again();
  errno = error;
}

static void on_continue(int signal_number) {
  (void)signal_number;
  int error = errno;
  take_again();
  errno = error;
}

static void on_resize(int signal_number) {
  (void)signal_number;
  atomic_fetch_add(&resizes, 1);
  cle_wake();
}

/// Restores the terminal before the process ends, and passes the signal to the previous handler: the default
/// action, or a handler that prints a backtrace. SIGQUIT is a request and not a crash, so the process ends at
/// once: Swift's handler would ask at the terminal what to do with the backtrace.
static void on_end(int signal_number, siginfo_t *info, void *context) {
  (void)context;
  give_back();
  for (size_t i = 0; i < GUARDED; i++) {
    if (guarded[i] == signal_number) sigaction(signal_number, &before[i], NULL);
  }
  if (signal_number == SIGQUIT) signal(SIGQUIT, SIG_DFL);
  // A fault occurs again on return, with the same registers. Every other signal must be sent again. So must a
  // trap, because its instruction would not run again.
  bool is_fault = (signal_number == SIGSEGV || signal_number == SIGBUS || signal_number == SIGILL || signal_number == SIGFPE)
      && info->si_code > 0;
  if (!is_fault) raise(signal_number);
}

static void install(size_t index) {
  int number = guarded[index];
  struct sigaction action = {0};
  sigemptyset(&action.sa_mask);
  switch (number) {
  case SIGTSTP:
    action.sa_handler = on_stop;
    action.sa_flags = SA_RESTART;
    break;
  case SIGCONT:
    action.sa_handler = on_continue;
    action.sa_flags = SA_RESTART;
    break;
  case SIGWINCH:
    action.sa_handler = on_resize;
    action.sa_flags = SA_RESTART;
    break;
  default:
    action.sa_sigaction = on_end;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
  }
  sigaction(number, NULL, &before[index]);
  // Signals that nohup or a parent has ignored stay ignored.
  if (before[index].sa_handler != SIG_IGN) sigaction(number, &action, NULL);
}

bool cle_guard_terminal(int input, int output) {
  if (guarding || !open_wake() || tcgetattr(input, &found_mode) != 0) return false;
  terminal_input = input;
  terminal_output = output;
  use_crash_stack();
  for (size_t i = 0; i < GUARDED; i++) install(i);
  guarding = true;
  return true;
}

bool cle_guards_terminal(void) {
  return guarding;
}

void cle_release_terminal(void) {
  if (!guarding) return;
  give_back();
  atomic_store(&in_our_mode, false);
  for (size_t i = 0; i < GUARDED; i++) sigaction(guarded[i], &before[i], NULL);
  guarding = false;
}

/// Lets writes wait for a slow terminal. A program that shares it may have set it not to block, and libedit would lose what the
/// terminal does not take at once.
static void let_output_wait(void) {
  int flags = fcntl(terminal_output, F_GETFL);
  if (flags >= 0 && (flags & O_NONBLOCK) != 0) fcntl(terminal_output, F_SETFL, flags & ~O_NONBLOCK);
}

void cle_entered_mode(const char *enter, const char *leave, bool has_line) {
  enter_text = enter;
  leave_text = leave;
  ends_line = has_line;
  tcgetattr(terminal_input, &our_mode);
  atomic_store(&in_our_mode, true);
  let_output_wait();
  say(enter);
}

void cle_left_mode(void) {
  atomic_store(&in_our_mode, false);
  // If the process was stopped between leaving the mode and recording that, the mode was set again.
  struct termios mode;
  if (tcgetattr(terminal_input, &mode) == 0 && mode.c_lflag == our_mode.c_lflag) {
    tcsetattr(terminal_input, TCSADRAIN, &found_mode);
  }
  say(leave_text);
}

bool cle_terminal_size(int descriptor, int *columns, int *rows) {
  struct winsize size;
  if (ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col == 0 || size.ws_row == 0) return false;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return true;
}
