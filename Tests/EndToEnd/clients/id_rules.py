"""The rules of ids (CONTRACT.md section 1) once more, by Python's own Unicode, to foretell what becomes of bytes."""
import unicodedata

WHITE_SPACE = set("\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {chr(c) for c in range(0x2000, 0x200B)}


def identifier(data):
    """The id that the bytes are, or None where they break a rule."""
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    broken = (
        not 1 <= len(text) <= 64
        or text in ("*", ".", "..")
        or any(character in "/:?,#" or unicodedata.category(character) == "Cc" for character in text)
        or text[0] in WHITE_SPACE or text[-1] in WHITE_SPACE
        or not unicodedata.is_normalized("NFC", text))
    return None if broken else text


def is_judged_alike(data):
    """Whether every version of Unicode says the same of the bytes: what is assigned stays as it is."""
    return all(unicodedata.category(character) != "Cn" for character in data.decode("utf-8", errors="ignore"))
