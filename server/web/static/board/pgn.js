// A game as other programs write it, with its variations: PGN with the letters of English, Danish
// and German or figurines, squares alone, or digits. Comments and marks are passed over. Not for
// what the lines have to do with the game on the page (rules.js).

import {Chess} from "../vendor/chess.js/dist/esm/chess.js"

const TAG = /^\s*\[\s*(\w+)\s+"((?:[^"\\]|\\.)*)"\s*\]/gm
const TOKEN = /\{[^}]*\}|;[^\n]*|[()]|\$\d+|\d+\s*(?:\.+|…)|[^\s(){};]+/g
const IS_PASSED_OVER = /^(?:[{;$]|\d+\s*(?:\.+|…)$|\d{1,3}$|[!?+\-=/±∓∞□⩲⩱N]+$|e\.?p\.?$)/
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
        return plain.replace(/([1-8])([1-8])/g, (_, file, rank) => "abcdefgh"[file - 1] + rank)
    }
    return plain
        .replace(/^[♟♙]/, "")
        .replace(/[DTLS♔♕♖♗♘♚♛♜♝♞]/g, (sign) => PIECES[sign])
        .replace(/([a-h][1-8])[-–]([a-h][1-8])/, "$1$2")
        .replace(/([a-h][18])=?\(?([QRBN])\)?/, "$1=$2")
}

// {fen, lines}: where the game begins, and its lines as UCI from there, the main one first. Throws
// for what can't be read.
/** @param {string} text */
export function linesOf(text) {
    const tags = new Map([...text.matchAll(TAG)].map(([, name, value]) => [name.toLowerCase(), value]))
    const fen = tags.get("fen") || new Chess().fen()
    /** @type {{moves: string[], fens: string[], isOver: boolean}} */
    const main = {moves: [], fens: [fen], isOver: false}
    const lines = [main], open = []
    let line = main
    for (const [token] of text.replace(TAG, "").replace(/^%.*$/gm, "").matchAll(TOKEN)) {
        if (token === "(") {
            open.push(line)
            const at = Math.max(0, line.moves.length - 1)
            line = {moves: line.moves.slice(0, at), fens: line.fens.slice(0, at + 1), isOver: line.isOver}
            lines.push(line)
        } else if (token === ")") {
            line = open.pop() || main
        } else if (IS_RESULT.test(token) && open.length === 0) {
            break
        } else if (IS_NO_MOVE.test(token)) {
            line.isOver = true
        } else if (!line.isOver && !IS_RESULT.test(token) && !IS_PASSED_OVER.test(token)) {
            play(line, token)
        }
    }
    return {fen, lines: lines.map(({moves}) => moves)}
}

/** @param {{moves: string[], fens: string[]}} line @param {string} token */
function play(line, token) {
    const game = new Chess(line.fens.at(-1), {skipValidation: true})
    line.moves.push(game.move(english(token), {strict: false}).lan)
    line.fens.push(game.fen())
}
