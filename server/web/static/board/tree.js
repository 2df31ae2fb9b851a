// A tree of variations: moves with comments, signs, arrows and circles. What a game of the text is
// laid over, how it is changed, and how it is written as PGN. Not for what is lawful (rules.js) nor
// for reading PGN (pgn.js).

const SHAPES = /\[%(csl|cal)\s+([^\]]*)\]/g
const SHAPE = /^[RGYB][a-h][1-8](?:[a-h][1-8])?$/
const PLAN = /\[%plan\]/g
// Clocks, evaluations and dates of other programs: no words of a reader's.
const COMMAND = /\[%\w+[^\]]*\]/g

/**
 * @typedef {object} Node
 * @property {Node | null} parent
 * @property {string} uci
 * @property {string} san
 * @property {string} fen
 * @property {Node[]} children
 * @property {string} comment
 * @property {number[]} nags
 * @property {string[]} shapes as PGN has them: "Ge2e4", "Rd5"
 * @property {boolean} isPlan
 * @property {boolean} isGame a move of the game
 * @property {string} [told] as its reader sees it
 */

/** @type {Record<number, string>} */
export const SIGNS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}
/** @type {Record<number, string>} */
export const VALUES = {10: "=", 13: "∞", 14: "⩲", 15: "⩱", 16: "±", 17: "∓", 18: "+−", 19: "−+"}

/** @param {Node | null} parent @param {string} uci @param {string} san @param {string} fen @returns {Node} */
export const newNode = (parent, uci, san, fen) => ({
    parent, uci, san, fen, children: [], comment: "", nags: [], shapes: [], isPlan: false, isGame: false,
})

// The moves from a node's nearest position of the game: {ply, moves}.
/** @param {Node} node */
export function pathOf(node) {
    /** @type {string[]} */
    const moves = []
    let at = node
    while (!at.isGame && at.parent) {
        moves.unshift(at.uci)
        at = at.parent
    }
    return {ply: plyOf(at), moves}
}

/** @param {Node} node */
export function plyOf(node) {
    let count = 0
    for (let at = node; at.parent; at = at.parent) {
        count += 1
    }
    return count
}

// A node that only stood on the board becomes a part of the tree, with those before it.
/** @param {Node} node */
export function attach(node) {
    for (let at = node; at.parent; at = at.parent) {
        if (!at.parent.children.includes(at)) {
            at.parent.children.push(at)
        }
    }
}

/** @param {Node} node */
export const isNoted = (node) =>
    Boolean(node.comment || node.nags.length > 0 || node.shapes.length > 0 || node.isPlan)

// A comment as it is written in PGN, taken apart: words, shapes, plan.
/** @param {Node} node @param {string} text */
export function noted(node, text) {
    for (const [, , given] of text.matchAll(SHAPES)) {
        const found = given.split(",").map((one) => one.trim()).filter((one) => SHAPE.test(one))
        node.shapes = [...new Set([...node.shapes, ...found])]
    }
    node.isPlan ||= text.search(PLAN) >= 0
    const words = text.replace(COMMAND, "").replace(/\s+/g, " ").trim()
    if (words && !node.comment.includes(words)) {
        node.comment = [node.comment, words].filter(Boolean).join(" ")
    }
}

// Lay another tree over this one, from two nodes with the same position; the first node that is new,
// or null. Nothing is taken away.
/** @param {Node} over @param {Node} onto @returns {Node | null} */
export function lay(over, onto) {
    /** @type {Node | null} */
    let fresh = null
    noted(onto, commentOf(over))
    onto.nags = [...new Set([...onto.nags, ...over.nags])]
    for (const child of over.children) {
        let same = onto.children.find((one) => one.uci === child.uci)
        if (!same) {
            same = newNode(onto, child.uci, child.san, child.fen)
            onto.children.push(same)
            fresh ||= same
        }
        const deeper = lay(child, same)
        fresh ||= deeper
    }
    return fresh
}

/** @param {Node} node */
function commentOf({shapes, isPlan, comment}) {
    /** @param {number} length */
    const of = (length) => shapes.filter((one) => one.length === length).join(",")
    return [
        of(3) && `[%csl ${of(3)}]`, of(5) && `[%cal ${of(5)}]`, isPlan && "[%plan]",
        comment.replace(/[{}]/g, "|"),
    ].filter(Boolean).join(" ")
}

// The tree as PGN; "": there is nothing in it beyond the game.
/** @param {Node} root @param {string} start @param {boolean} isStandard */
export function written(root, start, isStandard) {
    if (!hasOwn(root)) {
        return ""
    }
    const head = isStandard ? "" : `[SetUp "1"]\n[FEN "${start}"]\n\n`
    const said = commentOf(root)
    return `${head}${said ? `{${said}} ` : ""}${line(root, true)}*`
}

/** @param {Node} node @returns {boolean} */
export const hasOwn = (node) => isNoted(node)
    || node.children.some((child) => !child.isGame || hasOwn(child))

// The moves after a node: the first, its variations, and what follows it.
/** @param {Node} node @param {boolean} isFirst */
function line(node, isFirst) {
    let text = "", at = node, isNumbered = isFirst
    while (at.children.length > 0) {
        const [first, ...others] = at.children
        text += move(first, isNumbered)
        for (const other of others) {
            text += `(${move(other, true)}${line(other, isNoted(other))}) `
        }
        isNumbered = isNoted(first) || others.length > 0
        at = first
    }
    return text
}

/** @param {Node} node @param {boolean} isNumbered */
function move(node, isNumbered) {
    const [, color, , , , number] = (node.parent || node).fen.split(" ")
    const before = color === "w" ? `${number}. ` : isNumbered ? `${number}... ` : ""
    const said = commentOf(node)
    const signs = node.nags.map((nag) => ` $${nag}`).join("")
    return `${before}${node.san}${signs}${said ? ` {${said}}` : ""} `
}
