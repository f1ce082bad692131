// SPDX-License-Identifier: GPL-2.0-only
#define NCURSES_WIDECHAR 1
#include "screen_term.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include <curses.h>
#include <term.h>

#include "signals.h"
#include "text.h"

#define ESCAPE_MS 25 /* a key's further bytes come that soon */
#define LINES_DEFAULT 24
#define COLUMNS_DEFAULT 80

static SCREEN *screen;
static FILE *keys; /* stdin, or /dev/tty in its place */
static bool colours;
static struct termios before;
static bool has_before;
static bool taken; /* the terminal is ours now */

enum {
	PAIR_GOOD = 1,
	PAIR_BAD,
};

bool term_usable(const char **reason)
{
	const char *type = getenv("TERM");
	bool usable;
	int err;

	if (!type || !*type) {
		*reason = "TERM is not set";
		return false;
	}
	if (setupterm(NULL, STDOUT_FILENO, &err) != OK) {
		*reason = "TERM names a terminal that is not known here";
		return false;
	}
	usable = cursor_address && clear_screen;
	if (!usable)
		*reason = "the terminal cannot place its cursor";
	del_curterm(cur_term);
	return usable;
}

/* Keys come from the terminal even where standard input is something else. */
static FILE *open_keys(void)
{
	int fd;

	if (isatty(STDIN_FILENO))
		return stdin;
	fd = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY);
	return fd < 0 ? NULL : fdopen(fd, "r");
}

static void start_colours(void)
{
	const char *none = getenv("NO_COLOR");

	colours = !(none && *none) && has_colors() && start_color() == OK;
	if (!colours)
		return;
	use_default_colors();
	init_pair(PAIR_GOOD, COLOR_GREEN, -1);
	init_pair(PAIR_BAD, COLOR_RED, -1);
}

int term_open(void)
{
	struct sigaction standard = {.sa_handler = SIG_DFL}, now;

	keys = open_keys();
	has_before = tcgetattr(STDOUT_FILENO, &before) == 0;
	signals_writing(STDOUT_FILENO, true);
	screen = newterm(NULL, stdout, keys ? keys : stdin);
	if (!screen) {
		signals_written();
		return -ENODEV;
	}
	set_term(screen);
	set_escdelay(ESCAPE_MS);
	/* ncurses would do in a handler what term_suspend() does. */
	if (sigaction(SIGTSTP, NULL, &now) == 0 && now.sa_handler != SIG_IGN)
		sigaction(SIGTSTP, &standard, NULL);
	cbreak();
	noecho();
	nonl();
	intrflush(stdscr, FALSE);
	keypad(stdscr, TRUE);
	nodelay(stdscr, TRUE);
	curs_set(0);
	start_colours();
	term_resize();
	signals_written();
	taken = true;
	return 0;
}

/* Gives the terminal back.  What ncurses does for that may have gone nowhere. */
static void leave(void)
{
	if (!taken)
		return;
	taken = false;
	signals_writing(STDOUT_FILENO, true);
	endwin();
	if (signals_written() && has_before)
		tcsetattr(STDOUT_FILENO, TCSANOW, &before);
}

void term_close(void)
{
	if (!screen)
		return;
	leave();
	delscreen(screen);
	screen = NULL;
	if (keys && keys != stdin)
		fclose(keys);
	keys = NULL;
}

int term_fd(void)
{
	return keys ? fileno(keys) : -1;
}

int term_key(bool *is_key)
{
	struct pollfd fd = {.fd = term_fd(), .events = POLLIN};
	wint_t c;
	int got;

	*is_key = false;
	if (fd.fd < 0)
		return TERM_NONE;
	signals_writing(STDOUT_FILENO, true); /* of a window that has a new size */
	got = get_wch(&c);
	signals_written();
	if (got == KEY_CODE_YES)
		*is_key = true;
	if (got != ERR)
		return (int)c;
	/* Readable and yet no key: that is the end of the terminal. */
	if (poll(&fd, 1, 0) > 0 && fd.revents & (POLLHUP | POLLERR | POLLNVAL))
		return TERM_GONE;
	return TERM_NONE;
}

void term_resize(void)
{
	struct winsize size = {0};
	int height = LINES_DEFAULT, width = COLUMNS_DEFAULT;

	/* A terminal that does not know its size says 0. */
	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0)
		memset(&size, 0, sizeof(size));
	if (size.ws_row > 0)
		height = size.ws_row;
	if (size.ws_col > 0)
		width = size.ws_col;
	if (is_term_resized(height, width))
		resizeterm(height, width); /* without memory the old size stays */
	clearok(curscr, TRUE);
}

void term_resume(void)
{
	reset_prog_mode();
	taken = true;
	term_resize();
}

void term_suspend(void)
{
	sigset_t stop;

	leave();
	sigemptyset(&stop);
	sigaddset(&stop, SIGTSTP);
	raise(SIGTSTP);
	sigprocmask(SIG_UNBLOCK, &stop, NULL); /* here it stops, and goes on */
	sigprocmask(SIG_BLOCK, &stop, NULL);
	/* The shell's kill lets it go on where the terminal is not its own. */
	if (!signals_end_asked())
		term_resume();
}

bool term_takes_more(void)
{
	struct pollfd fd = {.fd = STDOUT_FILENO, .events = POLLOUT};

	return poll(&fd, 1, 0) != 0;
}

size_t term_width(void)
{
	return (size_t)COLS;
}

size_t term_height(void)
{
	return (size_t)LINES;
}

static attr_t attributes(enum term_look look, short *pair)
{
	*pair = 0;
	switch (look) {
	case TERM_TITLE:
		return A_BOLD;
	case TERM_GOOD:
		*pair = colours ? PAIR_GOOD : 0;
		return A_NORMAL;
	case TERM_BAD:
		*pair = colours ? PAIR_BAD : 0;
		return colours ? A_BOLD : A_BOLD | A_REVERSE;
	case TERM_FAINT:
		return A_DIM;
	case TERM_HEADING:
	case TERM_SELECTED:
		return A_REVERSE;
	case TERM_HEADING_BY:
		return A_REVERSE | A_BOLD | A_UNDERLINE;
	case TERM_PLAIN:
	case NR_TERM_LOOK:
		break;
	}
	return A_NORMAL;
}

void term_clear(void)
{
	signals_writing(STDOUT_FILENO, true);
	erase();
}

void term_flush(void)
{
	refresh();
	signals_written();
}

void term_put(size_t line, size_t column, enum term_look look, const char *text)
{
	size_t len;
	short pair;

	if (line >= term_height() || column >= term_width())
		return;
	len = text_fit(text, term_width() - column);
	attr_set(attributes(look, &pair), 0, NULL);
	color_set(pair, NULL);
	mvaddnstr((int)line, (int)column, text, (int)len);
	attr_set(A_NORMAL, 0, NULL);
}

void term_paint(size_t line, size_t column, size_t width, enum term_look look)
{
	attr_t attr;
	short pair;

	if (line >= term_height() || column >= term_width())
		return;
	attr = attributes(look, &pair);
	mvchgat((int)line, (int)column, (int)width, attr, pair, NULL);
}

void term_cursor(size_t line, size_t column)
{
	if (column >= term_width())
		column = term_width() - 1;
	move((int)line, (int)column);
	curs_set(1);
}

void term_no_cursor(void)
{
	curs_set(0);
}
