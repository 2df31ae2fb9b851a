/**
 * Author and copyright: Stefan Haack (https://shaack.com)
 * Repository: https://github.com/shaack/cm-chessboard
 * License: MIT, see file 'LICENSE'
 */

export const piecesTranslations = {
    da: {
        colors_long: {
            w: "hvid", b: "sort"
        },
        pieces_long: {
            p: "bonde", n: "springer", b: "løber", r: "tårn", q: "dronning", k: "konge"
        }
    },
    en: {
        colors_long: {
            w: "White", b: "Black"
        },
        pieces_long: {
            p: "Pawn", n: "Knight", b: "Bishop", r: "Rook", q: "Queen", k: "King"
        }
    },
    sv: {
        colors_long: {
            w: "vit", b: "svart"
        },
        pieces_long: {
            p: "bonde", n: "springare", b: "löpare", r: "torn", q: "dam", k: "kung"
        }
    }
}

export function renderPieceTitle(lang, name, color = undefined) {
    let title = piecesTranslations[lang].pieces_long[name]
    if (color && (lang === "da" || lang === "sv")) {
        const ending = name === "r" && color === "w" ? "t" : ""
        return piecesTranslations[lang].colors_long[color] + ending + " " + title
    }
    if (color) {
        title += " " + piecesTranslations[lang].colors_long[color]
    }
    return title
}
