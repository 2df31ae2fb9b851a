// The board one can touch, laid over the one the server drew: it shows positions and takes
// moves by mouse, finger and keyboard. Not for which moves there are, nor what they are for.

import {Chessboard, INPUT_EVENT_TYPE} from "../vendor/cm-chessboard/src/Chessboard.js"
import {Accessibility} from "../vendor/cm-chessboard/src/extensions/accessibility/Accessibility.js"
import {Markers, MARKER_TYPE} from "../vendor/cm-chessboard/src/extensions/markers/Markers.js"
import {
    PromotionDialog,
    PROMOTION_DIALOG_RESULT_TYPE,
} from "../vendor/cm-chessboard/src/extensions/promotion-dialog/PromotionDialog.js"

const SPRITE = new URL("../vendor/cm-chessboard/assets/extensions/markers/markers.svg", import.meta.url)
// The king put on his rook castles, as on other sites.
const rookOf = (uci) => (uci[2] === "g" ? "h" : "a") + uci[3]
const isCalm = matchMedia("(prefers-reduced-motion: reduce)")

export class Table {
    constructor(place, placing) {
        const lang = place.dataset.lang
        this.place = place
        this.player = null
        this.shown = placing
        place.replaceChildren()
        // Who moves by mouse or finger is shown no square for the keyboard.
        place.addEventListener("pointerdown", () => place.classList.add("by-hand"))
        place.addEventListener("keydown", () => place.classList.remove("by-hand"))
        this.board = new Chessboard(place, {
            position: placing,
            orientation: place.dataset.orientation,
            style: {
                cssClass: "default",
                borderType: "none",
                showCoordinates: place.dataset.coordinates !== "off",
                pieces: {file: "", tileSize: 40},
                animationDuration: isCalm.matches ? 0 : 180,
            },
            extensions: [
                {class: Markers, props: {autoMarkers: MARKER_TYPE.frame, sprite: SPRITE.href}},
                {class: PromotionDialog, props: {language: lang}},
                {
                    class: Accessibility,
                    props: {
                        language: lang,
                        keyboardMoveInput: true,
                    },
                },
            ],
        })
        // Who can't see the board hears where the pieces stand, and then how to move them.
        this.board.view.svg.setAttribute("aria-describedby", "pieces-in-words board-keys")
    }

    // Show a position with some squares marked; the promise is kept when the pieces stand.
    show(placing, marks = [], animated = true) {
        this.shown = placing
        this.board.removeLegalMovesMarkers()
        this.board.removeMarkers(MARKER_TYPE.square)
        for (const square of marks) {
            this.board.addMarker(MARKER_TYPE.square, square)
        }
        return this.board.setPosition(placing, animated)
    }

    flip() {
        return this.board.setOrientation(this.board.getOrientation() === "w" ? "b" : "w", false)
    }

    // Who takes the moves from now on: {color, legal(), played(uci), touched(square)}, or null. `legal`
    // gives the moves (UCI) of the position shown; `touched` says whether to begin a move.
    listen(player) {
        if (this.player) {
            this.board.cancelMoveInput()
            this.board.disableMoveInput()
        }
        this.player = player
        if (player) {
            this.board.enableMoveInput((event) => this._input(event), player.color)
        }
    }

    _input(event) {
        const {player, board} = this
        switch (event.type) {
            case INPUT_EVENT_TYPE.moveInputStarted: {
                board.removeLegalMovesMarkers()
                if (!player || (player.touched && !player.touched(event.squareFrom))) {
                    return false
                }
                const from = player.legal().filter((uci) => uci.startsWith(event.squareFrom))
                const rooks = from.filter((uci) => this._isCastling(uci)).map(rookOf)
                const targets = new Set([...from.map((uci) => uci.slice(2, 4)), ...rooks])
                board.addLegalMovesMarkers([...targets].map((to) => ({to})))
                return targets.size > 0
            }
            case INPUT_EVENT_TYPE.validateMoveInput:
                board.removeLegalMovesMarkers()
                return this._played(event)
            case INPUT_EVENT_TYPE.moveInputCanceled:
            case INPUT_EVENT_TYPE.moveInputFinished:
                board.removeLegalMovesMarkers()
                return undefined
            default:
                return undefined
        }
    }

    _isCastling(uci) {
        const isKing = this.board.getPiece(uci.slice(0, 2))?.charAt(1) === "k"
        return isKing && Math.abs(uci.charCodeAt(0) - uci.charCodeAt(2)) === 2
    }

    _played(event) {
        const {squareFrom: start, squareTo: end} = event
        const {player} = this
        const moves = player ? player.legal() : []
        const castling = moves.find((uci) =>
            uci.startsWith(start) && this._isCastling(uci) && rookOf(uci) === end)
        if (castling) {
            // Not shown as the king's taking his rook, which the board would do by itself.
            event.animate = false
            setTimeout(() => player.played(castling))
            return true
        }
        if (moves.includes(start + end)) {
            // The board still moves the piece itself: set the position when it has.
            setTimeout(() => player.played(start + end))
            return true
        }
        if (!moves.includes(start + end + "q")) {
            return false
        }
        const [placing, color] = [this.shown, this.board.getPiece(start).charAt(0)]
        this.board.showPromotionDialog(end, color, (result) => {
            if (result.type === PROMOTION_DIALOG_RESULT_TYPE.pieceSelected) {
                player.played(start + end + result.piece.charAt(1))
            } else {
                this.board.setPosition(placing, false)
            }
        })
        return true
    }
}
