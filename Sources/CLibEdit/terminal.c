#define _GNU_SOURCE
#if defined(__APPLE__)
#define _DARWIN_C_SOURCE
#endif

#include "CTerminal.h"

#include "CProcess.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

static int wake[2] = {-1, -1};
static atomic_uint interrupts, resizes, resumptions;

/// The terminal under guard. Written while no handler is installed, or before the atomic that makes
/// a handler look at it is set.
static int terminal_input = -1, terminal_output = -1;
static struct termios found_mode, our_mode;
static atomic_bool in_our_mode;
static const char *enter_text, *leave_text;

/// The signals whose handlers the guard replaces, and what was there before.
static const int guarded[] = {
  SIGTSTP, SIGCONT, SIGWINCH,
  SIGTERM, SIGHUP, SIGQUIT,
  SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP, SIGABRT,
};
#define GUARDED (sizeof guarded / sizeof *guarded)
static struct sigaction before[GUARDED];
static bool guarding;

/// A crash may be that of a stack that is full.
static char crash_stack[65536];

void cle_wake(void) {
  int error = errno;
  // A full pipe wakes as well as one more byte.
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
  if (!cle_pipe(ends)) return false;
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
  // Without SA_RESTART: a read that waits for input comes back.
  struct sigaction action = {.sa_handler = on_interrupt};
  sigemptyset(&action.sa_mask);
  return sigaction(SIGINT, &action, NULL) == 0;
}

static void say(const char *text) {
  if (text == NULL) return;
  ssize_t written = write(terminal_output, text, strlen(text));
  (void)written;
}

/// Gives the terminal back as it was found. The mode stays marked as ours, to be taken again.
static void give_back(void) {
  if (!atomic_load(&in_our_mode)) return;
  say(leave_text);
  tcsetattr(terminal_input, TCSANOW, &found_mode);
  // The line that was edited ends here; whoever writes next begins a new one.
  say("\r\n");
}

/// Takes the terminal again. From the background this stops the process, until it is in front.
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
  // The default action, for which the signal must be neither caught nor blocked.
  struct sigaction standard = {.sa_handler = SIG_DFL}, ours;
  sigset_t stop, blocked;
  sigemptyset(&standard.sa_mask);
  sigaction(signal_number, &standard, &ours);
  sigemptyset(&stop);
  sigaddset(&stop, signal_number);
  raise(signal_number);
  pthread_sigmask(SIG_UNBLOCK, &stop, &blocked);
  // Here the process has stopped, and goes on.
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

/// The process is about to end: gives the terminal back, and lets whoever was there before us (the
/// default action, or a handler that prints a backtrace) have the signal.
static void on_end(int signal_number, siginfo_t *info, void *context) {
  (void)context;
  give_back();
  for (size_t i = 0; i < GUARDED; i++) {
    if (guarded[i] == signal_number) sigaction(signal_number, &before[i], NULL);
  }
  // A fault happens again on return, with its registers as they were. All else has to be sent
  // again; so has a trap, as its instruction would not be run again.
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
  // What nohup or a parent made us ignore stays ignored.
  if (before[index].sa_handler != SIG_IGN) sigaction(number, &action, NULL);
}

bool cle_guard_terminal(int input, int output) {
  if (guarding || !open_wake() || tcgetattr(input, &found_mode) != 0) return false;
  terminal_input = input;
  terminal_output = output;
  stack_t stack;
  if (sigaltstack(NULL, &stack) == 0 && (stack.ss_flags & SS_DISABLE) != 0) {
    stack = (stack_t){.ss_sp = crash_stack, .ss_size = sizeof crash_stack};
    sigaltstack(&stack, NULL);
  }
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

void cle_entered_mode(const char *enter, const char *leave) {
  enter_text = enter;
  leave_text = leave;
  tcgetattr(terminal_input, &our_mode);
  atomic_store(&in_our_mode, true);
  say(enter);
}

void cle_left_mode(void) {
  atomic_store(&in_our_mode, false);
  // The process may have been stopped after the mode was given up and before this was said; then
  // the mode was taken again.
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
