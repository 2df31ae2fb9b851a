// Games as other programs write them, with their variations: PGN with the letters of English, Danish
// and German or figurines, squares alone, or digits; comments and signs are kept. Not for what the
// lines have to do with the game on the page (rules.js).

import {Chess} from "../vendor/chess.js/dist/esm/chess.js"
import {SIGNS, newNode, noted} from "./tree.js"

const TOKEN = new RegExp([
    /\[\s*\w+\s+"(?:[^"\\]|\\.)*"\s*\]/, /\{[^}]*\}|;[^\n]*/, /[()]/, /\$\d+/, /\d+\s*(?:\.+|…)/,
    /[^\s(){};[\]$]+/,
].map((one) => one.source).join("|"), "g")
const TAG = /^\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"/
const IS_PASSED_OVER = /^(?:\d+\s*(?:\.+|…)$|\d{1,3}$|[+\-=/±∓∞□⩲⩱N]+$|e\.?p\.?$|\.+$)/
const IS_SIGN = /^[!?]{1,2}$/
const IS_RESULT = /^(?:1-0|0-1|1\/2-1\/2|½-½|1\/2|½|\*)$/
const IS_NO_MOVE = /^(?:--|Z0|null|@@@@)$/
/** @type {Record<string, string>} */
const PIECES = {D: "Q", T: "R", L: "B", S: "N", "♔": "K", "♕": "Q", "♖": "R", "♗": "B", "♘": "N"}
for (const [index, sign] of [..."♚♛♜♝♞"].entries()) {
    PIECES[sign] = "KQRBN"[index]
}

// English letters, and squares without a line between them.
/** @param {string} token */
function english(token) {
    const plain = token.replace(/[!?]+$/, "").replace(/^(?:…|\.+)/, "")
    if (/^[0Oo]-[0Oo]/.test(plain)) {
        return plain.replace(/[0o]/g, "O")
    }
    if (/^[1-8]{4}$/.test(plain)) {
        return plain.replace(/([1-8])([1-8])/g, (_, file, rank) => "abcdefgh"[Number(file) - 1] + rank)
    }
    return plain
        .replace(/^[♟♙]/, "")
        .replace(/[DTLS♔♕♖♗♘♚♛♜♝♞]/g, (sign) => PIECES[sign])
        .replace(/([a-h][1-8])[-–]([a-h][1-8])/, "$1$2")
        .replace(/([a-h][18])=?\(?([QRBN])\)?/, "$1=$2")
}

/**
 * @typedef {import("./tree.js").Node} Node
 * @typedef {{node: Node, isOver: boolean}} Place
 * @typedef {Place & {root: Node, open: Place[], hasMoves: boolean}} Reading
 */

/** @param {string} fen */
const rootAt = (fen) => newNode(null, "", "", new Chess(fen, {skipValidation: true}).fen())

// The games of a text, each as the root of its tree; a tag after moves, or a result, begins another.
// Throws what of it can't be read.
/** @param {string} text @param {string} [start] where moves without a FEN begin */
export function gamesOf(text, start = new Chess().fen()) {
    /** @type {Reading[]} */
    const all = []
    /** @type {Reading | null} */
    let reading = null
    /** @param {string} fen */
    const begin = (fen) => {
        const root = rootAt(fen)
        const begun = {root, node: root, open: [], isOver: false, hasMoves: false}
        all.push(begun)
        return begun
    }
    for (const [token] of text.replace(/^%.*$/gm, "").matchAll(TOKEN)) {
        const [, name, value] = token.match(TAG) || []
        if (name) {
            if (reading?.hasMoves) {
                reading = null
            }
            if (name.toLowerCase() === "fen") {
                reading = begin(value)
            }
        } else if (IS_RESULT.test(token) && !reading?.open.length) {
            reading = null
        } else {
            if (!reading) {
                reading = begin(start)
            }
            take(reading, token)
        }
    }
    return all.map(({root}) => root)
}

/** @param {Reading} reading @param {string} token */
function take(reading, token) {
    const {node} = reading
    reading.hasMoves = true
    if (token === "(") {
        reading.open.push({node, isOver: reading.isOver})
        reading.node = reading.isOver ? node : node.parent || node
    } else if (token === ")") {
        Object.assign(reading, reading.open.pop())
    } else if (/^[{;]/.test(token)) {
        noted(node, token.replace(/^[{;]|\}$/g, ""))
    } else if (reading.isOver || IS_NO_MOVE.test(token)) {
        reading.isOver = true
        noted(node, token)
    } else if (token.startsWith("$") || IS_SIGN.test(token)) {
        sign(node, token)
    } else if (!IS_RESULT.test(token) && !IS_PASSED_OVER.test(token)) {
        try {
            reading.node = played(node, english(token))
        } catch {
            throw new Error(token)
        }
        sign(reading.node, token.match(/[!?]{1,2}$/)?.[0] || "")
    }
}

/** @param {Node} node @param {string} token */
function sign(node, token) {
    const nag = Number(token.startsWith("$") ? token.slice(1) : Object.keys(SIGNS).find((one) => SIGNS[Number(one)] === token))
    if (nag && node.parent && !node.nags.includes(nag)) {
        node.nags.push(nag)
    }
}

// The node after a move, as SAN or UCI; a new one where there is none. Throws for no lawful move.
/** @param {Node} node @param {string} text */
export function played(node, text) {
    const known = node.children.find((one) => one.uci === text || one.san === text)
    if (known) {
        return known
    }
    const game = new Chess(node.fen, {skipValidation: true})
    const {lan, san} = game.move(text, {strict: false})
    let next = node.children.find((one) => one.uci === lan)
    if (!next) {
        next = newNode(node, lan, san, game.fen())
        node.children.push(next)
    }
    return next
}

// A node that is shown and not yet in the tree.
/** @param {Node} node @param {string} uci */
export function passing(node, uci) {
    const game = new Chess(node.fen, {skipValidation: true})
    const {san} = game.move({from: uci.slice(0, 2), to: uci.slice(2, 4), promotion: uci[4]})
    return newNode(node, uci, san, game.fen())
}

// The tree of a game alone.
/** @param {string} start @param {string[]} moves UCI */
export function gameTree(start, moves) {
    const root = rootAt(start)
    root.isGame = true
    let at = root
    for (const uci of moves) {
        at = played(at, uci)
        at.isGame = true
    }
    return root
}
