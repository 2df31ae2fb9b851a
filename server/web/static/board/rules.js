// What is lawful, and how it is written: chess.js, loaded when somebody begins to try moves.

import {Chess} from "../vendor/chess.js/dist/esm/chess.js"
import {gameTree, gamesOf, passing, played} from "./pgn.js"
import {lay, noted} from "./tree.js"

export {gameTree, passing, played}

/** @typedef {import("./tree.js").Node} Node */

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
/** @param {string} fen @param {string[]} moves */
export function fenAfter(fen, moves) {
    const game = at(fen)
    moves.forEach((uci) => game.move(parts(uci)))
    return game.fen()
}

// Lawful moves as the reader has chosen to see them, the language's letters where he has not.
/** @param {string} fen @param {string[]} moves @param {{writing?: string, lang?: string}} wanted */
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
/** @param {any} move @returns {string} */
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

// The place of a position among the game's nodes, the last one; undefined: it was never there.
/** @param {Node[]} game @param {string} fen @returns {Node | undefined} */
const standing = (game, fen) => game[game.map((node) => same(node.fen)).lastIndexOf(same(fen))]

// What is kept, laid over the game whose nodes stand in `game`. A line from a position that a ruling
// took away stays as words. Throws for what can't be read.
/** @param {string} text @param {Node[]} game */
export function restore(text, game) {
    for (const root of gamesOf(text)) {
        const anchor = standing(game, root.fen)
        if (anchor) {
            lay(root, anchor)
        } else {
            noted(game[0], `FEN ${root.fen}: ${mainLine(root).map(({san}) => san).join(" ")}`)
        }
    }
}

// What another program gave: {node, isNew}, the first node that is new or the last one that was
// known; null: another game's. Throws for what is neither PGN nor FEN.
/** @param {string} text @param {Node[]} game */
export function read(text, game) {
    const given = text.replace(/^%.*$/gm, "").trim()
    if (/^([1-8kqrbnp]+\/){7}[1-8kqrbnp]+ [wb] /i.test(given)) {
        const node = standing(game, given)
        return node ? {node, isNew: false} : null
    }
    // Moves alone begin where their number stands in the game.
    const [, number, isBlack] = given.match(/^(\d+)\s*(\.\.+|…)?/) || []
    const turn = `${isBlack ? "b" : "w"} ${number}`
    const start = game.find(({fen}) => fen.split(" ").filter((_, nth) => nth % 4 === 1).join(" ") === turn)
    /** @type {Node | null} */
    let found = null
    /** @type {Node | null} */
    let fresh = null
    for (const root of gamesOf(given, start?.fen)) {
        const anchor = standing(game, root.fen)
        if (anchor && !isOther(root, anchor)) {
            const first = lay(root, anchor)
            fresh ||= first
            found ||= mainLine(root).reduce(
                (node, {uci}) => node.children.find((one) => one.uci === uci) || node, anchor)
        }
    }
    return found && {node: fresh || found, isNew: Boolean(fresh)}
}

// From the beginning of a game with moves, and not one of them played in it.
/** @param {Node} root @param {Node} anchor */
const isOther = (root, anchor) => anchor.parent === null && root.children.length > 0
    && anchor.children.some((one) => one.isGame)
    && !root.children.some(({uci}) => anchor.children.some((one) => one.isGame && one.uci === uci))

/** @param {Node} node */
export function mainLine(node) {
    const all = []
    for (let at = node.children[0]; at; [at] = at.children) {
        all.push(at)
    }
    return all
}
