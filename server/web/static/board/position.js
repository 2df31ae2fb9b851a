// Positions as the board shows them: where the pieces stand, as a FEN's first field. Moves are
// taken as lawful. Not for what is lawful (rules.js).

const RANKS = [8, 7, 6, 5, 4, 3, 2, 1]

/** @param {string} placing @returns {Map<string, string>} a piece's sign by square */
function squaresOf(placing) {
    const squares = new Map()
    placing.split("/").forEach((row, down) => {
        let file = 0
        for (const sign of row) {
            if (sign >= "1" && sign <= "8") {
                file += Number(sign)
            } else {
                squares.set("abcdefgh"[file] + (8 - down), sign)
                file += 1
            }
        }
    })
    return squares
}

/** @param {Map<string, string>} squares */
function placingOf(squares) {
    return RANKS.map((rank) => {
        let row = "", empty = 0
        for (const file of "abcdefgh") {
            const sign = squares.get(file + rank)
            if (sign === undefined) {
                empty += 1
                continue
            }
            row += (empty || "") + sign
            empty = 0
        }
        return row + (empty || "")
    }).join("/")
}

// The pieces after a lawful move: castling moves the rook, a pawn that takes in passing removes
// the other, a promoted one becomes what it became.
/** @param {string} placing @param {string} uci */
export function after(placing, uci) {
    /** @type {Map<string, any>} a lawful move finds its pieces */
    const squares = squaresOf(placing.split(" ")[0])
    const [start, end, promoted] = [uci.slice(0, 2), uci.slice(2, 4), uci.slice(4)]
    const piece = squares.get(start)
    const kind = piece.toLowerCase()
    if (kind === "p" && start[0] !== end[0] && !squares.has(end)) {
        squares.delete(end[0] + start[1])
    }
    if (kind === "k" && Math.abs(start.charCodeAt(0) - end.charCodeAt(0)) === 2) {
        const [corner, beside] = end[0] === "g" ? ["h", "f"] : ["a", "d"]
        squares.set(beside + start[1], squares.get(corner + start[1]))
        squares.delete(corner + start[1])
    }
    squares.delete(start)
    squares.set(end, promoted ? (piece === "P" ? promoted.toUpperCase() : promoted) : piece)
    return placingOf(squares)
}

// The placings before the first move and after each one.
/** @param {string} fen @param {string[]} moves UCI */
export function placings(fen, moves) {
    const all = [fen.split(" ")[0]]
    for (const uci of moves) {
        all.push(after(all[all.length - 1], uci))
    }
    return all
}

// The squares to mark for a move.
/** @param {string} [uci] */
export const ends = (uci) => (uci ? [uci.slice(0, 2), uci.slice(2, 4)] : [])

// Number and colour of the move that follows `ply` moves of a game begun at `fen`.
/** @param {string} fen @param {number} ply */
export function half(fen, ply) {
    const fields = fen.split(" ")
    const count = 2 * (Number(fields[5]) || 1) + (fields[1] === "b" ? 1 : 0) + ply
    return {number: Math.floor(count / 2), white: count % 2 === 0}
}

// Moves with their numbers: «12. Sf3 d5 13. g3», or «12… d5 13. g3».
/** @param {string} fen @param {number} ply @param {string[]} texts */
export function numbered(fen, ply, texts) {
    return texts.map((text, index) => {
        const at = half(fen, ply + index)
        return at.white ? `${at.number}. ${text}` : index === 0 ? `${at.number}… ${text}` : text
    }).join(" ")
}

// One side's pieces for the list in words, kings first: [kind, square].
/** @param {string} placing @param {boolean} isWhite */
export function listed(placing, isWhite) {
    const all = [...squaresOf(placing)].filter(([, sign]) => (sign < "a") === isWhite)
    /** @param {string} sign */
    const order = (sign) => "kqrbnp".indexOf(sign.toLowerCase())
    /** @param {string} square */
    const place = (square) => Number(square[1]) * 8 + square.charCodeAt(0)
    return all
        .sort(([a, x], [b, y]) => order(x) - order(y) || place(a) - place(b))
        .map(([square, sign]) => [sign.toLowerCase(), square])
}

// The pieces that one side has taken: those of the other that are gone, pawns first, as signs.
/** @param {string} start a FEN @param {string} placing @param {boolean} byWhite */
export function taken(start, placing, byWhite) {
    /** @param {string} text @param {string} sign */
    const count = (text, sign) => text.split(" ")[0].split(sign).length - 1
    return [..."pnbrq"].map((kind, index) => {
        const sign = byWhite ? kind : kind.toUpperCase()
        const gone = Math.max(0, count(start, sign) - count(placing, sign))
        return "\u265f\u265e\u265d\u265c\u265b"[index].concat("\ufe0e").repeat(gone)
    }).join("")
}
