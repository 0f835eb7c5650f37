"""Hostile ids, percent-encoded, and the expected outcome of each on every route."""

LONG, WIDE, SMALL = "a", "%F0%9F%9A%95", "q%CC%83"

# description, as sent, the id that the claim must hold
ACCEPTED = [
    ("64 ASCII characters", LONG * 64, "a" * 64),
    ("64 scalars of four bytes", WIDE * 64, "\U0001f695" * 64),
    ("64 scalars shown as 32 characters", SMALL * 32, "q\u0303" * 32),
    ("a combining sequence that has no shorter form", "a" + SMALL, "aq\u0303"),
    ("a combining mark alone", "%CC%81", "\u0301"),
    ("Normalization Form C", "%C3%A9", "\u00e9"),
    ("precomposed Hangul", "%ED%95%9C", "\ud55c"),
    ("a plus sign", "a+b", "a+b"),
    ("an encoded plus sign", "a%2Bb", "a+b"),
    ("a space inside", "a%20b", "a b"),
    ("an encoded percent sign", "%25", "%"),
    ("a wildcard encoded twice", "%252A", "%2A"),
    ("a slash encoded twice", "%252F", "%2F"),
    ("two asterisks", "**", "**"),
    ("an asterisk after a letter", "a%2A", "a*"),
    ("the full-width asterisk", "%EF%BC%8A", "\uff0a"),
    ("the small asterisk", "%EF%B9%A1", "\ufe61"),
    ("the asterisk operator", "%E2%88%97", "\u2217"),
    ("the full-width slash", "a%EF%BC%8Fb", "a\uff0fb"),
    ("three dots", "...", "..."),
    ("a dot before a letter", "%2Ea", ".a"),
    ("the full-width full stop", "%EF%BC%8E", "\uff0e"),
    ("quotation marks and a backslash", "%22%5C%27", "\"\\'"),
    ("delimiters of a query", "a%26b%3Dc;d", "a&b=c;d"),
    ("markup", "%3Cb%3E", "<b>"),
    ("right-to-left override inside", "a%E2%80%AEb", "a\u202eb"),
    ("right-to-left override first", "%E2%80%AEa", "\u202ea"),
    ("an isolate that is never closed", "a%E2%81%A6", "a\u2066"),
    ("left-to-right and right-to-left marks", "%E2%80%8E%E2%80%8F%D8%9C", "\u200e\u200f\u061c"),
    ("a zero-width joiner at the end", "a%E2%80%8D", "a\u200d"),
    ("a byte order mark first", "%EF%BB%BFa", "\ufeffa"),
    ("a line separator inside", "a%E2%80%A8b", "a\u2028b"),
    ("noncharacters", "%EF%BF%BF%F4%8F%BF%BF", "\uffff\U0010ffff"),
]

UTF8, NFC = "not well-formed UTF-8", "not in Unicode Normalization Form C"
AROUND = "begins or ends with the white space"
CONTROL, WILDCARD, DOTS, SLASH = "the control character", "the wildcard", "a dot segment", "contains U+002F"

# description, as sent, words that the message must hold
REFUSED = [
    ("65 ASCII characters", LONG * 65, "has 65 characters; expected at most 64"),
    ("65 scalars of four bytes", WIDE * 65, "has 65 characters; expected at most 64"),
    ("66 scalars shown as 33 characters", SMALL * 33, "has 66 characters; expected at most 64"),
    ("Normalization Form D", "e%CC%81", NFC),
    ("decomposed Hangul", "%E1%84%92%E1%85%A1%E1%86%AB", NFC),
    ("marks in a non-canonical order", "q%CC%83%CC%A3", NFC),
    ("the Kelvin sign", "%E2%84%AA", NFC),
    ("the Angstrom sign", "%E2%84%AB", NFC),
    ("a compatibility ideograph", "%EF%A4%80", NFC),
    ("a high surrogate", "%ED%A0%80", UTF8),
    ("a low surrogate", "%ED%BF%BF", UTF8),
    ("a pair of surrogates", "%ED%A0%BD%ED%B0%80", UTF8),
    ("an overlong slash of two bytes", "%C0%AF", UTF8),
    ("an overlong slash of three bytes", "%E0%80%AF", UTF8),
    ("an overlong slash of four bytes", "%F0%80%80%AF", UTF8),
    ("an overlong asterisk", "%C0%AA", UTF8),
    ("an overlong NUL", "%C0%80", UTF8),
    ("a sequence cut off", "a%E2%82", UTF8),
    ("a continuation byte alone", "%80", UTF8),
    ("beyond the last scalar", "%F4%90%80%80", UTF8),
    ("a byte that UTF-8 never has", "a%FF", UTF8),
    ("Latin-1", "%E9", UTF8),
    ("NUL", "%00", CONTROL),
    ("NUL inside", "a%00b", CONTROL),
    ("CR LF", "a%0D%0AX-Injected:%201", CONTROL),
    ("LF at the end", "a%0A", CONTROL),
    ("a tab inside", "a%09b", CONTROL),
    ("an escape sequence", "%1B%5B2Ja", CONTROL),
    ("DEL", "a%7Fb", CONTROL),
    ("NEL, of C1", "a%C2%85b", CONTROL),
    ("CSI, of C1", "%C2%9B2Ja", CONTROL),
    ("a space before", "%20a", AROUND),
    ("a space after", "a%20", AROUND),
    ("nothing but a space", "%20", AROUND),
    ("a no-break space before", "%C2%A0a", AROUND),
    ("an ideographic space after", "a%E3%80%80", AROUND),
    ("a line separator after", "a%E2%80%A8", AROUND),
    ("the wildcard", "*", WILDCARD),
    ("the wildcard, encoded", "%2A", WILDCARD),
    ("the wildcard, encoded in lower case", "%2a", WILDCARD),
    ("a dot", ".", DOTS),
    ("two dots", "..", DOTS),
    ("a dot, encoded", "%2E", DOTS),
    ("two dots, encoded", "%2e%2E", DOTS),
    ("two dots, half encoded", ".%2e", DOTS),
    ("a slash", "%2F", SLASH),
    ("a path", "..%2F..%2Fserver", SLASH),
    ("a slash, encoded in lower case", "a%2fb", SLASH),
    ("a colon", "a:b", "contains U+003A"),
    ("a question mark", "a%3Fb", "contains U+003F"),
    ("a number sign", "a%23b", "contains U+0023"),
]

# No id may hold a comma, so an encoded comma separates a list too.
COMMA = ("a comma", "a%2Cb", "contains U+002C")

# in a list: description, as sent, the ids or the words of the message
LISTS = [
    ("two ids", "a,b", ["a", "b"]),
    ("two ids, the comma encoded", "a%2cb", ["a", "b"]),
    ("500 ids", ",".join(map(str, range(500))), [str(number) for number in range(500)]),
    ("501 ids", ",".join(map(str, range(501))), "501 ids; expected at most 500"),
    ("an id twice", "a,b,a", "more than once"),
    ("an id twice in two spellings", "a,%61", "more than once"),
    ("nothing between two commas", "a,,b", "is empty"),
    ("a comma first", ",a", "is empty"),
    ("a comma last", "a,", "is empty"),
    ("the wildcard among ids", "a,%2A", WILDCARD),
    ("a list in another form", "a,e%CC%81", NFC),
    ("white space after a comma", "a,%20b", AROUND),
]

# the whole target, status, code
PATHS = [
    ("/token/consumer", 400, "missing_id"), ("/token/consumer/", 400, "missing_id"),
    ("/token/consumer//", 400, "invalid_id"), ("/token/task_batch//", 400, "invalid_id"),
    ("/token/consumer/a//", 404, "unknown_path"), ("/token/consumer/a/b", 404, "unknown_path"),
    ("/token/consumer/../driver/a", 404, "unknown_path"), ("/token/consumer/./a", 404, "unknown_path"),
    ("/token/consumer/%2E%2E/driver/a", 404, "unknown_path"), ("/token/../token/consumer/a", 404, "unknown_kind"),
    ("/token/./consumer/a", 404, "unknown_kind"), ("/token//consumer/a", 404, "unknown_kind"),
    ("//token/consumer/a", 404, "unknown_path"), ("/./token/consumer/a", 404, "unknown_path"),
    ("/token%2Fconsumer/a", 404, "unknown_path"), ("/token/consumer%2Fa", 404, "unknown_kind"),
    ("/token/%63onsumer/a", 404, "unknown_kind"), ("/token/Consumer/a", 404, "unknown_kind"),
    ("/token/consumer;v=1/a", 404, "unknown_kind"), ("/token/on_demand/a", 404, "unknown_kind"),
    ("/token/android", 404, "unknown_kind"), ("/token/consumer/a?tripID=a", 400, "repeated_parameter"),
    ("/token/consumer/a?vehicleID=b", 400, "foreign_parameter"), ("/token/consumer/a?vehicleID=*", 400, "foreign_parameter"),
    ("/token/consumer/*?tripID=a", 400, "invalid_id"), ("/token?tripID=", 400, "invalid_id"),
    ("/token?tripID", 400, "invalid_id"), ("/token?taskIDs=", 400, "invalid_id"),
    ("/token?deliveryVehicleID=a&taskID=", 400, "invalid_id"), ("/token?tripID=a/b", 400, "invalid_id"),
    ("/token?tripID=a?b", 400, "invalid_id"), ("/token?trip%49D=a&tripID=a", 400, "repeated_parameter"),
    ("/token/server/a", 404, "kinds.server.credentials_unset"),
]

# invalid in any target (RFC 3986 section 2): the connection closes after the answer
UNPARSED = [
    b"%", b"a%", b"%4", b"%zz", b"%u0041", b"a\x80", b"\xc3\xa9", b"a\x00b", b"a\"b", b"a<b", b"a|b", b"a\tb", b"a b",
    b"a#b",
]
