"""The rules of ids (FleetEngineContract.md, "Ids") again, by Python's Unicode data, to predict whether bytes are an id."""
import unicodedata

WHITE_SPACE = set("\t\n\v\f\r \x85\xa0\u1680\u2028\u2029\u202f\u205f\u3000") | {chr(c) for c in range(0x2000, 0x200B)}


def identifier(data):
    """The id in the bytes, or None if they break a rule."""
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
    """Whether all versions of Unicode judge the bytes alike: assigned characters do not change."""
    return all(unicodedata.category(character) != "Cn" for character in data.decode("utf-8", errors="ignore"))
