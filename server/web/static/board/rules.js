// What is lawful, and how it is written: chess.js, loaded when somebody begins to try moves.

import {Chess} from "../vendor/chess.js/dist/esm/chess.js"
import {linesOf} from "./pgn.js"

/** @type {Record<string, number>} */
const DIGIT = {q: 1, r: 2, b: 3, n: 4}
/** @type {Record<string, string>} */
const FIGURINE = {K: "♔", Q: "♕", R: "♖", B: "♗", N: "♘"}
/** @type {Record<string, string>} */
const NORDIC = {Q: "D", R: "T", B: "L", N: "S", O: "0", "=": ""}

/** @param {string} fen */
const at = (fen) => new Chess(fen, {skipValidation: true})
/** @param {string} uci */
const parts = (uci) => ({from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci[4]})

// The lawful moves of a position, as UCI.
/** @param {string} fen */
export const legal = (fen) => at(fen).moves({verbose: true}).map((move) => move.lan)

// The position after lawful moves, in full.
/** @param {string} fen @param {string[]} moves UCI */
export function fenAfter(fen, moves) {
    const game = at(fen)
    moves.forEach((uci) => game.move(parts(uci)))
    return game.fen()
}

// Whether moves can be played one after the other.
/** @param {string} fen @param {string[]} moves UCI */
export function isPlayable(fen, moves) {
    try {
        fenAfter(fen, moves)
        return true
    } catch {
        return false
    }
}

// Lawful moves as the reader has chosen to see them, the language's letters where he has not.
/** @param {string} fen @param {string[]} moves @param {{writing?: string, lang?: string}} given */
export function written(fen, moves, {writing, lang}) {
    const game = at(fen)
    const isNordic = writing === "danish" || (writing !== "english" && lang !== "en")
    return moves.map((uci) => {
        const move = game.move(parts(uci))
        if (writing === "numeric") {
            return numeric(uci)
        }
        const san = writing === "long" ? long(move) : move.san
        if (writing === "figurines") {
            return san.replace(/[KQRBN]/g, (sign) => FIGURINE[sign]).replace(/O/g, "0").replace("=", "")
        }
        return isNordic ? san.replace(/[QRBNO=]/g, (sign) => NORDIC[sign]) : san
    })
}

// Both squares: Ng1-f3, e7xd8=Q+; castling as it is.
/** @param {import("../vendor/chess.js/dist/esm/chess.js").Move} move */
function long({san, piece, from, to, captured, promotion}) {
    if (san.startsWith("O")) {
        return san
    }
    const letter = piece === "p" ? "" : piece.toUpperCase()
    const end = (promotion ? `=${promotion.toUpperCase()}` : "") + (san.match(/[+#]$/)?.[0] || "")
    return `${letter}${from}${captured ? "x" : "-"}${to}${end}`
}

// A move in digits, from and to; a promotion adds its piece in parentheses (§ 6.2.2).
/** @param {string} uci */
export function numeric(uci) {
    const digits = [0, 2].map((i) => uci.charCodeAt(i) - 96 + uci[i + 1]).join("")
    return uci[4] ? `${digits}(${DIGIT[uci[4]]})` : digits
}

// Where the pieces stand, who moves and who may castle: what makes two FENs one position.
/** @param {string} fen */
const same = (fen) => fen.split(" ").slice(0, 3).join(" ")

// What another program gave: [{ply, moves}, …] in a game of `start` and `line`, the main line first
// and the variations after it; null: another game. Throws for what is neither PGN nor FEN.
/** @param {string} text @param {string} start a FEN @param {string[]} line UCI */
export function read(text, start, line) {
    const fens = [start]
    const game = at(start)
    for (const uci of line) {
        game.move(parts(uci))
        fens.push(game.fen())
    }
    const given = text.trim()
    if (/^([1-8kqrbnp]+\/){7}[1-8kqrbnp]+ [wb] /i.test(given)) {
        const ply = fens.map(same).lastIndexOf(same(given))
        return ply < 0 ? null : [{ply, moves: []}]
    }
    const {fen, lines} = linesOf(given)
    const from = fens.map(same).indexOf(same(fen))
    if (from < 0) {
        return null
    }
    const [main, ...others] = lines.map((moves) => beside(line.slice(from), moves, from))
    const isOther = [main, ...others].every(({ply}) => ply === 0) && line.length > 0
    if (isOther && main.moves.length > 0) {
        return null
    }
    return [main, ...others.filter((one) => one.moves.length > 0)]
}

// A line as it leaves the game, both from `ply` on.
/** @param {string[]} line @param {string[]} moves @param {number} ply */
function beside(line, moves, ply) {
    const common = moves.findIndex((uci, index) => uci !== line[index])
    const count = common < 0 ? moves.length : common
    return {ply: ply + count, moves: moves.slice(count)}
}
