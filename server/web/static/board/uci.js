// What a chess engine says by UCI, taken apart: lines and what they are worth, as White has it. Not
// for talking with one (engine.js).

/** @typedef {{place: number, depth: number, mate: number, cp: number, moves: string[]}} Line */

const INFO = /^info (?=.*\bdepth (\d+))(?=.*\bscore (cp|mate) (-?\d+))(?!.* (?:lower|upper)bound).* pv (.+)$/

// A whole line of the position `fen`, the best in place 1; null for anything else that is said.
/** @param {string} text @param {string} fen @returns {Line | null} */
export function lineOf(text, fen) {
    const [, depth, kind, value, moves] = text.match(INFO) || []
    if (!moves) {
        return null
    }
    const [, place = 1] = text.match(/\bmultipv (\d+)/) || []
    const count = Number(value) * (fen.split(" ")[1] === "b" ? -1 : 1)
    return {
        place: Number(place), depth: Number(depth), moves: moves.trim().split(/\s+/),
        mate: kind === "mate" ? count : 0, cp: kind === "cp" ? count : 0,
    }
}

// The sign that PGN has for it ($10 to $19), whose words the page knows.
/** @param {Line} line */
export function nagOf({mate, cp}) {
    const size = mate ? Infinity : Math.abs(cp)
    const least = [Infinity, 200, 75, 25].findIndex((one) => size >= one)
    return least < 0 ? 10 : [18, 18, 16, 14][least] + ((mate || cp) > 0 ? 0 : 1)
}

// «+0,35», «−1,20», «#3», «−#2».
/** @param {Line} line @param {string} lang */
export function figure({mate, cp}, lang) {
    if (mate) {
        return `${mate < 0 ? "−" : ""}#${Math.abs(mate)}`
    }
    /** @type {any} exceptZero is newer than the types' list */
    const form = {minimumFractionDigits: 2, maximumFractionDigits: 2, signDisplay: "exceptZero"}
    return new Intl.NumberFormat(lang, form).format(cp / 100).replace("-", "−")
}
