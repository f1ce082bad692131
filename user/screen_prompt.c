// SPDX-License-Identifier: GPL-2.0-only
#include "screen_prompt.h"

#include <limits.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#define BACKSPACE 0x08
#define DELETE 0x7f
#define CONTROL(c) ((c)&0x1f)

void prompt_set(struct prompt *p, const char *text)
{
	size_t len = strlen(text);

	p->len = len < sizeof(p->text) ? len : 0;
	memcpy(p->text, text, p->len);
	p->text[p->len] = '\0';
}

/* Takes the last character away: in UTF-8 it has several bytes. */
static void take_last(struct prompt *p)
{
	do
		p->len--;
	while (p->len && (p->text[p->len] & 0xc0) == 0x80);
	p->text[p->len] = '\0';
}

static void take_word(struct prompt *p)
{
	while (p->len && p->text[p->len - 1] == ' ')
		take_last(p);
	while (p->len && p->text[p->len - 1] != ' ')
		take_last(p);
}

static bool add(struct prompt *p, int c)
{
	char bytes[MB_LEN_MAX];
	mbstate_t state = {0};
	size_t n;

	if (!iswprint((wint_t)c))
		return false;
	n = wcrtomb(bytes, (wchar_t)c, &state);
	if (n == (size_t)-1 || p->len + n >= sizeof(p->text))
		return false;
	memcpy(p->text + p->len, bytes, n);
	p->len += n;
	p->text[p->len] = '\0';
	return true;
}

bool prompt_type(struct prompt *p, int c)
{
	size_t before = p->len;

	switch (c) {
	case BACKSPACE:
	case DELETE:
		if (p->len)
			take_last(p);
		break;
	case CONTROL('U'):
		prompt_set(p, "");
		break;
	case CONTROL('W'):
		take_word(p);
		break;
	default:
		return add(p, c);
	}
	return p->len != before;
}
