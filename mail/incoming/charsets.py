"""The only charsets that are decoded, by every name mail programs use for them.

Each shows an ASCII letter as itself, or with a zero octet (utf-16); those in which a
harmless-looking text decodes to a move (utf-7, unicode_escape) are left out. Latin-1 and its like
are read as the Windows set that holds them, as all mail programs do. NOT for decoding
(`mail.incoming.mime`, `mail.incoming.headers`).
"""

_NAMES = {
    "utf-8": "utf-8 utf8 unicode-1-1-utf-8 utf-8-sig",
    "utf-16": "utf-16 utf16",
    "utf-16-le": "utf-16le",
    "utf-16-be": "utf-16be",
    "us-ascii": "us-ascii ascii ansi_x3.4-1968 7bit",
    "cp1252": "iso-8859-1 iso8859-1 iso_8859-1 latin1 latin-1 windows-1252 cp1252 x-cp1252 cp-1252",
    "cp1250": "windows-1250 cp1250 x-cp1250",
    "cp1251": "windows-1251 cp1251 x-cp1251",
    "cp1253": "windows-1253 cp1253",
    "cp1254": "windows-1254 cp1254 iso-8859-9 iso8859-9 latin5",
    "cp1255": "windows-1255 cp1255",
    "cp1256": "windows-1256 cp1256",
    "cp1257": "windows-1257 cp1257",
    "cp1258": "windows-1258 cp1258",
    "iso8859-2": "iso-8859-2 iso8859-2 iso_8859-2 latin2",
    "iso8859-3": "iso-8859-3 latin3",
    "iso8859-4": "iso-8859-4 latin4",
    "iso8859-5": "iso-8859-5",
    "iso8859-6": "iso-8859-6",
    "iso8859-7": "iso-8859-7",
    "iso8859-8": "iso-8859-8 iso-8859-8-i",
    "iso8859-10": "iso-8859-10 latin6",
    "iso8859-13": "iso-8859-13",
    "iso8859-14": "iso-8859-14",
    "iso8859-15": "iso-8859-15 iso8859-15 latin-9 latin9",
    "iso8859-16": "iso-8859-16",
    "koi8-r": "koi8-r",
    "koi8-u": "koi8-u",
    "mac-roman": "macintosh x-mac-roman mac",
    "cp437": "ibm437 cp437",
    "cp850": "ibm850 cp850",
    "cp865": "ibm865 cp865",
    "cp874": "windows-874 tis-620 iso-8859-11",
    "gb18030": "gb2312 gbk gb18030 x-gbk",
    "big5": "big5 big5-hkscs",
    "cp932": "shift_jis shift-jis windows-31j cp932",
    "euc-jp": "euc-jp",
    "iso2022_jp_ext": "iso-2022-jp",
    "cp949": "euc-kr ks_c_5601-1987 cp949",
}
CHARSETS = {name: codec for codec, names in _NAMES.items() for name in names.split()}
