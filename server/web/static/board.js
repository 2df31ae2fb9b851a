// The board to play on: laid over the one the server drew, from which it takes everything it
// knows. It fills the field for the move and shows what was played; nothing is sent from here.
// Without this script the field is filled by hand.

import {Chessboard, COLOR, INPUT_EVENT_TYPE} from "./vendor/cm-chessboard/src/Chessboard.js"
import {Accessibility} from "./vendor/cm-chessboard/src/extensions/accessibility/Accessibility.js"
import {Markers, MARKER_TYPE} from "./vendor/cm-chessboard/src/extensions/markers/Markers.js"
import {
    PromotionDialog,
    PROMOTION_DIALOG_RESULT_TYPE,
} from "./vendor/cm-chessboard/src/extensions/promotion-dialog/PromotionDialog.js"

const place = document.getElementById("board")
const field = document.getElementById("text")
const says = document.getElementById("board-says")
const moves = new Map(JSON.parse(place?.dataset.moves || "[]"))

if (place && field && moves.size > 0) {
    start(place.dataset)
}

function start(given) {
    const own = given.fen.split(" ")[1] === "w" ? COLOR.white : COLOR.black
    const markers = new URL("./vendor/cm-chessboard/assets/extensions/markers/markers.svg", import.meta.url)
    place.replaceChildren()
    const board = new Chessboard(place, {
        position: given.fen,
        orientation: given.orientation,
        style: {
            cssClass: "default",
            borderType: "none",
            pieces: {file: "", tileSize: 40},
            animationDuration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 180,
        },
        extensions: [
            {class: Markers, props: {autoMarkers: MARKER_TYPE.frame, sprite: markers.href}},
            {class: PromotionDialog, props: {language: given.lang}},
            {
                class: Accessibility,
                props: {
                    language: given.lang,
                    brailleNotationInAlt: false,
                    movePieceForm: false,
                    boardAsTable: false,
                    piecesAsList: false,
                    keyboardMoveInput: true,
                },
            },
        ],
    })
    for (const square of given.marks.trim().split(" ").filter(Boolean)) {
        board.addMarker(MARKER_TYPE.square, square)
    }

    const from = (square) => [...moves.keys()].filter((uci) => uci.startsWith(square))

    // What was played: into the field, on the board, and said aloud.
    function enter(uci) {
        const text = moves.get(uci)
        field.value = given.prefix + text
        says.textContent = given.entered.replace("{move}", text)
        board.setPosition(after(given.fen, uci), true)
    }

    function promote(square, target) {
        board.showPromotionDialog(target, own, (result) => {
            if (result.type === PROMOTION_DIALOG_RESULT_TYPE.pieceSelected) {
                enter(square + target + result.piece.charAt(1))
            } else {
                board.setPosition(given.fen, false)
            }
        })
    }

    function input(event) {
        switch (event.type) {
            case INPUT_EVENT_TYPE.moveInputStarted: {
                board.removeLegalMovesMarkers()
                if (board.getPosition() !== given.fen.split(" ")[0]) {
                    // A move stands on the board already: touching a piece takes it back.
                    board.setPosition(given.fen, true)
                    field.value = given.prefix
                    says.textContent = ""
                    return false
                }
                const targets = new Set(from(event.squareFrom).map((uci) => uci.slice(2, 4)))
                board.addLegalMovesMarkers([...targets].map((to) => ({to})))
                return targets.size > 0
            }
            case INPUT_EVENT_TYPE.validateMoveInput: {
                board.removeLegalMovesMarkers()
                const uci = event.squareFrom + event.squareTo
                if (moves.has(uci)) {
                    // The board still moves the piece itself: set the position when it has.
                    setTimeout(() => enter(uci))
                    return true
                }
                if (moves.has(uci + "q")) {
                    promote(event.squareFrom, event.squareTo)
                    return true
                }
                return false
            }
            case INPUT_EVENT_TYPE.moveInputCanceled:
            case INPUT_EVENT_TYPE.moveInputFinished:
                board.removeLegalMovesMarkers()
                return undefined
            default:
                return undefined
        }
    }

    board.enableMoveInput(input, own)
}

// The pieces after a lawful move, as a FEN's first field: castling moves the rook, a pawn that
// takes in passing removes the other, a promoted one becomes what it became.
function after(fen, uci) {
    const squares = new Map()
    fen.split(" ")[0].split("/").forEach((row, down) => {
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
    return [8, 7, 6, 5, 4, 3, 2, 1].map((rank) => {
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
