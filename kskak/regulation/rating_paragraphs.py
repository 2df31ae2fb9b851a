"""The register's rows on ratings and correction (§ 4.5, § 4.9.10).

Not for the rest of the register (paragraphs.py).
"""

from kskak.regulation.paragraph_row import NO, PARTLY, YES, Paragraph

RATING_ROWS = (
    Paragraph(
        "4.5",
        "Dansk Skak Unions ratingsystem",
        PARTLY,
        "K-ratings are made by it (reading); what is the over-the-board committee's alone is not",
    ),
    Paragraph("4.5.2", "Beregning af ratingtallet", YES),
    Paragraph(
        "4.5.2.1",
        "Den forventede score",
        YES,
        "a double round expects twice what a single one does, rounded last (reading)",
    ),
    Paragraph("4.5.2.2", "Bonus", YES, "beyond 11 games by the pattern (reading)"),
    Paragraph("4.5.2.3", "Udviklingskoefficienten K", YES),
    Paragraph("4.5.2.4", "Korrektion ved passage af en koefficientgrænse", YES),
    Paragraph("4.5.2.5", "Korrektion ved turneringssejr", YES),
    Paragraph("4.5.2.6", "Bundgrænse", YES),
    Paragraph(
        "4.5.3",
        "Ratingberettigede turneringer",
        NO,
        "over-the-board tournaments; every K tournament is rated (reading)",
    ),
    Paragraph(
        "4.5.4.1",
        "Tidsmæssig beregningsrækkefølge",
        YES,
        "registered on the day of publication (reading)",
    ),
    Paragraph(
        "4.5.4.2",
        "Ratingberettigede partier",
        YES,
        "what is played and what an absence is by post are readings; a game that § 6.2.8 turned is "
        "rated as its result stands (reading)",
    ),
    Paragraph(
        "4.5.5.1",
        "Danske spillere",
        PARTLY,
        "three years on the list; first numbers are assigned by people or come from § 6.7.6.2",
    ),
    Paragraph("4.5.5.2", "Udenlandske spillere", YES, "performance ratings"),
    Paragraph(
        "4.5.6",
        "Koordinering med den internationale ratingliste",
        NO,
        "compares over-the-board ratings with FIDE's",
    ),
    Paragraph("4.5.7", "Tabeller til ratingberegning", YES),
    Paragraph("4.9.10", "Korrektionssystemer", YES, "K-skak names Sonneborn-Berger alone"),
    Paragraph("4.9.10.1", "Sonneborn-Berger", YES),
    Paragraph("4.9.10.2", "Almindelig korrektion", YES, "no form of section 6 uses it"),
    Paragraph("4.9.10.3", "Middelkorrektion", YES, "no form of section 6 uses it"),
)
