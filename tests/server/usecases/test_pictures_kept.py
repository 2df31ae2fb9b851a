"""A picture is kept without what the camera wrote in it, upright, and its digest is of that."""

import hashlib
import io

import pytest
from PIL import ExifTags, Image, PngImagePlugin

from server.usecases.postal.scans import Scan, ScanFault, read_scan

SECRETS = (b"Hemmelig", b"GPS", b"Exif", b"http://ns.adobe.com", b"ICC_PROFILE", b"after the end")
TURNED = Image.Transpose.ROTATE_90


def _picture(kind: str, orientation: int, mode: str = "RGB") -> bytes:
    """Wide, red at the left, with place, device, comment and more after its end."""
    image = Image.new(mode, (64, 32), "white")
    image.paste(Image.new(mode, (16, 32), "red" if mode == "RGB" else "black"))
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = orientation
    exif[ExifTags.Base.Make] = exif[ExifTags.Base.Artist] = "Hemmelig"
    exif.get_ifd(ExifTags.IFD.GPSInfo)[ExifTags.GPS.GPSLatitude] = (55.0, 40.0, 12.0)
    text, out = PngImagePlugin.PngInfo(), io.BytesIO()
    text.add_text("Comment", "Hemmelig")
    text.add_itxt("XML:com.adobe.xmp", "http://ns.adobe.com Hemmelig")
    more = {"pnginfo": text} if kind == "PNG" else {"comment": b"Hemmelig", "quality": 92}
    image.save(out, kind, exif=exif, icc_profile=b"ICC_PROFILE Hemmelig", **more)
    return out.getvalue() + b"after the end"


@pytest.mark.parametrize("mode", ["RGB", "L"])
@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
async def test_metadata_leaves_and_the_picture_is_upright(kind: str, orientation: int, mode: str):
    sent = _picture(kind, orientation, mode)
    assert b"Hemmelig" in sent
    kept = await read_scan(sent)
    assert isinstance(kept, Scan) and kept.media_type == f"image/{kind.lower()}"
    assert not [word for word in SECRETS if word in kept.data]
    assert kept.digest == hashlib.sha256(kept.data).digest()
    assert kept.digest != hashlib.sha256(sent).digest()
    with Image.open(io.BytesIO(kept.data)) as shown:
        assert not shown.getexif() and shown.size == ((64, 32) if orientation < 5 else (32, 64))
        dark = {1: (4, 16), 3: (60, 16), 6: (16, 4), 8: (16, 60)}[orientation]
        light = {1: (60, 16), 3: (4, 16), 6: (16, 60), 8: (16, 4)}[orientation]
        assert sum(shown.convert("RGB").getpixel(dark)) < sum(shown.convert("RGB").getpixel(light))
    assert await read_scan(kept.data) != ScanFault.UNKNOWN


@pytest.mark.parametrize("cut", [12, 60, 200])
@pytest.mark.parametrize("kind", ["PNG", "JPEG"])
async def test_what_is_no_whole_picture_is_refused(kind: str, cut: int):
    assert await read_scan(_picture(kind, 6)[:cut]) is ScanFault.UNKNOWN


async def test_the_largest_picture_is_kept_and_the_next_is_not(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("server.usecases.postal.scans.MOST_PIXELS", 64 * 32)
    assert isinstance(await read_scan(_picture("PNG", 1)), Scan)
    monkeypatch.setattr("server.usecases.postal.scans.MOST_PIXELS", 64 * 32 - 1)
    assert await read_scan(_picture("PNG", 1)) is ScanFault.TOO_LARGE


async def test_a_see_through_picture_stays_so_and_one_too_large_is_not_unpacked():
    out = io.BytesIO()
    Image.new("P", (8, 8)).save(out, "PNG", transparency=0)
    kept = await read_scan(out.getvalue())
    assert isinstance(kept, Scan)
    with Image.open(io.BytesIO(kept.data)) as shown:
        assert shown.convert("RGBA").getpixel((1, 1))[3] == 0
    vast = io.BytesIO()
    Image.new("1", (10_000, 6_000)).save(vast, "PNG")
    assert await read_scan(vast.getvalue()) is ScanFault.TOO_LARGE
