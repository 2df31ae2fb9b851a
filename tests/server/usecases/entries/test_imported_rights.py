"""§ 6.5.3.2, § 6.6.2: what was imported of the past opens classes to enter, and closes them."""

from datetime import date
from pathlib import Path

from kskak.entries.entry import EntryRefusal
from server.usecases.archive.archive_import import import_past, sources
from server.usecases.archive.table_import import Watch
from server.usecases.entries import entry_judging
from tests.fakes.entries import Federation

TABLES = """Turnering;Klasse;Afsluttet;Medlemsnr;Navn;Point;Partier;Plads
EMT 2024 K-1;K;2025-05-01;1001;Anna;5;6;1
EMT 2024 K-1;K;2025-05-01;1002;Bent;1½;6;7
"""


async def _imported(fed: Federation, folder: Path) -> None:
    path = folder / "emt.csv"
    path.write_text(TABLES, encoding="utf-8")
    await import_past(fed.core, sources([path]), Watch(), dry_run=False)


async def test_five_points_in_an_imported_table_open_the_class_above(fed, tmp_path):
    """§ 6.5.3.2 a: 5 points in K, used within two years of the end."""
    anna = await fed.player("anna", None, member="1001")
    before = await entry_judging.classes_view(fed.core, anna, anna.id)
    assert not any(right.results for answer in before.answers.values() for right in answer.by)
    await _imported(fed, tmp_path)
    view = await entry_judging.classes_view(fed.core, anna, anna.id)
    rights = {
        name.value: [(right.paragraph, right.until, right.results) for right in answer.by]
        for name, answer in view.answers.items()
    }
    assert rights["M"] == [("6.5.3.2 a", date(2027, 5, 1), (1,))]
    assert [(one.name, one.source) for one in view.record] == [("EMT 2024 K-1", "emt.csv, 2")]
    assert (await fed.enter("anna", "M")).person_id == anna.id


async def test_an_imported_relegation_closes_the_class(fed: Federation, tmp_path: Path):
    """§ 6.5.3.3: fewer than 2 points, so K is closed, and Å is open."""
    bent = await fed.player("bent", None, member="1002")
    await _imported(fed, tmp_path)
    view = await entry_judging.classes_view(fed.core, bent, bent.id)
    open_ones = {name.value for name, answer in view.answers.items() if answer.by}
    assert open_ones == {"Å"}
    assert isinstance(await fed.ask("bent", "M"), EntryRefusal)
