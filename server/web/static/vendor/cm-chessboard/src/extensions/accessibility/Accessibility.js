/**
 * Author and copyright: Stefan Haack (https://shaack.com)
 * Repository: https://github.com/shaack/cm-chessboard
 * License: MIT, see file 'LICENSE'
 */
import {Extension, EXTENSION_POINT} from "../../model/Extension.js"
import {COLOR, INPUT_EVENT_TYPE} from "../../Chessboard.js"
import {renderPieceTitle} from "./I18n.js"

import {Svg} from "../../lib/Svg.js"

const translations = {
    da: {
        chessboard: "Skakbræt",
        empty_square: "tomt",
        move_from: "Træk fra",
        move_canceled: "Trækket er fortrudt"
    },
    en: {
        chessboard: "Chessboard",
        empty_square: "empty",
        move_from: "Move from",
        move_canceled: "Move canceled"
    },
    sv: {
        chessboard: "Schackbräde",
        empty_square: "tomt",
        move_from: "Drag från",
        move_canceled: "Draget är ångrat"
    }
}

export class Accessibility extends Extension {
    constructor(chessboard, props) {
        super(chessboard)
        this.props = {
            language: navigator.language.substring(0, 2).toLowerCase(),
            keyboardMoveInput: false // enable keyboard navigation on the board with arrow keys
        }
        Object.assign(this.props, props)
        if (!(this.props.language in translations)) {
            this.props.language = "en"
        }
        this.lang = this.props.language
        this.t = translations[this.lang]
        this.components = []
        if (this.props.keyboardMoveInput) {
            this.components.push(new KeyboardMoveInput(this))
        }
    }
}

class KeyboardMoveInput {
    constructor(extension) {
        this.extension = extension
        this.chessboard = extension.chessboard
        this.t = extension.t

        // Current focus position (file 0-7, rank 0-7)
        this.focusedFile = 0 // a-h
        this.focusedRank = 0 // 1-8 (0 = rank 1)
        this.hasBegun = false

        // Move selection state
        this.fromSquare = null

        // Create focus indicator group in SVG
        this.focusIndicatorGroup = Svg.addElement(
            this.chessboard.view.markersTopLayer,
            "g",
            {class: "keyboard-focus-indicator"}
        )

        // Create live region for screen reader announcements
        this.liveRegion = document.createElement("div")
        this.liveRegion.setAttribute("aria-live", "polite")
        this.liveRegion.setAttribute("aria-atomic", "true")
        this.liveRegion.className = "cm-chessboard-keyboard-live-region visually-hidden"
        this.liveRegion.style.cssText = "position:absolute;width:1px;height:1px;padding:0;margin:-1px;overflow:hidden;clip:rect(0,0,0,0);white-space:nowrap;border:0;"
        this.chessboard.context.appendChild(this.liveRegion)

        // Make SVG focusable
        this.chessboard.view.svg.setAttribute("tabindex", "0")
        this.chessboard.view.svg.setAttribute("role", "application")
        this.chessboard.view.svg.setAttribute("aria-label", this.t.chessboard)

        // Bind event handlers
        this.handleKeyDown = this.handleKeyDown.bind(this)
        this.handleFocus = this.handleFocus.bind(this)
        this.handleBlur = this.handleBlur.bind(this)

        this.chessboard.view.svg.addEventListener("keydown", this.handleKeyDown)
        this.chessboard.view.svg.addEventListener("focus", this.handleFocus)
        this.chessboard.view.svg.addEventListener("blur", this.handleBlur)

        // Register extension points
        extension.registerExtensionPoint(EXTENSION_POINT.afterRedrawBoard, () => {
            this.redrawFocusIndicator()
        })
        extension.registerExtensionPoint(EXTENSION_POINT.destroy, () => {
            this.destroy()
        })
        extension.registerExtensionPoint(EXTENSION_POINT.moveInputToggled, () => {
            // Reset move selection when input is toggled
            this.fromSquare = null
            this.redrawFocusIndicator()
        })
    }

    // The first square is that of the king of whoever sits below the board.
    begin() {
        if (this.hasBegun) {
            return
        }
        this.hasBegun = true
        const king = this.chessboard.state.orientation + "k"
        for (let index = 0; index < 64; index += 1) {
            if (this.chessboard.getPiece("abcdefgh"[index % 8] + (Math.floor(index / 8) + 1)) === king) {
                this.focusedFile = index % 8
                this.focusedRank = Math.floor(index / 8)
            }
        }
    }

    handleFocus() {
        this.begin()
        this.redrawFocusIndicator()
        this.announceCurrentSquare()
    }

    handleBlur() {
        this.clearFocusIndicator()
    }

    handleKeyDown(event) {
        const orientation = this.chessboard.state.orientation

        switch (event.key) {
            case "ArrowRight":
                event.preventDefault()
                if (orientation === COLOR.white) {
                    this.focusedFile = Math.min(7, this.focusedFile + 1)
                } else {
                    this.focusedFile = Math.max(0, this.focusedFile - 1)
                }
                this.redrawFocusIndicator()
                this.announceCurrentSquare()
                break

            case "ArrowLeft":
                event.preventDefault()
                if (orientation === COLOR.white) {
                    this.focusedFile = Math.max(0, this.focusedFile - 1)
                } else {
                    this.focusedFile = Math.min(7, this.focusedFile + 1)
                }
                this.redrawFocusIndicator()
                this.announceCurrentSquare()
                break

            case "ArrowUp":
                event.preventDefault()
                if (orientation === COLOR.white) {
                    this.focusedRank = Math.min(7, this.focusedRank + 1)
                } else {
                    this.focusedRank = Math.max(0, this.focusedRank - 1)
                }
                this.redrawFocusIndicator()
                this.announceCurrentSquare()
                break

            case "ArrowDown":
                event.preventDefault()
                if (orientation === COLOR.white) {
                    this.focusedRank = Math.max(0, this.focusedRank - 1)
                } else {
                    this.focusedRank = Math.min(7, this.focusedRank + 1)
                }
                this.redrawFocusIndicator()
                this.announceCurrentSquare()
                break

            case "Enter":
            case " ":
                event.preventDefault()
                this.selectSquare()
                break

            case "Escape":
                event.preventDefault()
                if (this.fromSquare) {
                    this.fromSquare = null
                    this.redrawFocusIndicator()
                    this.announce(this.t.move_canceled)
                }
                break
        }
    }

    selectSquare() {
        if (!this.chessboard.state.inputWhiteEnabled && !this.chessboard.state.inputBlackEnabled) {
            return // Input not enabled
        }

        const square = this.getCurrentSquare()
        const piece = this.chessboard.getPiece(square)

        if (!this.fromSquare) {
            // Selecting "from" square
            if (piece) {
                const pieceColor = piece.charAt(0)
                // Check if the piece color matches enabled input
                if ((pieceColor === "w" && this.chessboard.state.inputWhiteEnabled) ||
                    (pieceColor === "b" && this.chessboard.state.inputBlackEnabled)) {
                    // Trigger moveInputStarted callback
                    const startResult = this.chessboard.state.moveInputCallback({
                        chessboard: this.chessboard,
                        type: INPUT_EVENT_TYPE.moveInputStarted,
                        square: square,
                        squareFrom: square,
                        piece: piece
                    })
                    if (startResult) {
                        this.fromSquare = square
                        this.redrawFocusIndicator()
                        this.announce(this.t.move_from + " " + square)
                    }
                }
            }
        } else {
            // Selecting "to" square
            if (square === this.fromSquare) {
                // Clicking same square cancels
                this.fromSquare = null
                this.redrawFocusIndicator()
                this.announce(this.t.move_canceled)
            } else {
                // Try to make the move
                const fromPiece = this.chessboard.getPiece(this.fromSquare)
                const result = this.chessboard.state.moveInputCallback({
                    chessboard: this.chessboard,
                    type: INPUT_EVENT_TYPE.validateMoveInput,
                    squareFrom: this.fromSquare,
                    squareTo: square,
                    piece: fromPiece
                })
                if (result) {
                    const fromSquare = this.fromSquare
                    this.fromSquare = null
                    this.chessboard.movePiece(fromSquare, square, true).then(() => {
                        this.redrawFocusIndicator()
                    })
                } else {
                    // Invalid move - check if clicking on own piece to start new move
                    if (piece) {
                        const pieceColor = piece.charAt(0)
                        if ((pieceColor === "w" && this.chessboard.state.inputWhiteEnabled) ||
                            (pieceColor === "b" && this.chessboard.state.inputBlackEnabled)) {
                            const startResult = this.chessboard.state.moveInputCallback({
                                chessboard: this.chessboard,
                                type: INPUT_EVENT_TYPE.moveInputStarted,
                                square: square,
                                squareFrom: square,
                                piece: piece
                            })
                            if (startResult) {
                                this.fromSquare = square
                                this.redrawFocusIndicator()
                                this.announce(this.t.move_from + " " + square)
                            }
                        }
                    }
                }
            }
        }
    }

    getCurrentSquare() {
        const file = String.fromCharCode(97 + this.focusedFile) // 'a' + file
        const rank = this.focusedRank + 1
        return `${file}${rank}`
    }

    announceCurrentSquare() {
        const square = this.getCurrentSquare()
        const piece = this.chessboard.getPiece(square)
        let announcement = square
        if (piece) {
            const pieceType = piece.charAt(1)
            const pieceColor = piece.charAt(0)
            announcement += " " + renderPieceTitle(this.extension.lang, pieceType, pieceColor)
        } else {
            announcement += " " + this.t.empty_square
        }
        if (this.fromSquare) {
            announcement += " (" + this.t.move_from + " " + this.fromSquare + ")"
        }
        this.announce(announcement)
    }

    announce(message) {
        this.liveRegion.textContent = ""
        setTimeout(() => {
            this.liveRegion.textContent = message
        }, 50)
    }

    redrawFocusIndicator() {
        this.clearFocusIndicator()

        // Only show if SVG is focused
        if (document.activeElement !== this.chessboard.view.svg) {
            return
        }

        const square = this.getCurrentSquare()
        const point = this.chessboard.view.squareToPoint(square)
        const squareWidth = this.chessboard.view.squareWidth
        const squareHeight = this.chessboard.view.squareHeight

        // Draw focus indicator
        Svg.addElement(this.focusIndicatorGroup, "rect", {
            x: point.x,
            y: point.y,
            width: squareWidth,
            height: squareHeight,
            class: "keyboard-focus"
        })

        // If we have a from square selected, also highlight it
        if (this.fromSquare) {
            const fromPoint = this.chessboard.view.squareToPoint(this.fromSquare)
            Svg.addElement(this.focusIndicatorGroup, "rect", {
                x: fromPoint.x,
                y: fromPoint.y,
                width: squareWidth,
                height: squareHeight,
                class: "keyboard-from-square"
            })
        }
    }

    clearFocusIndicator() {
        while (this.focusIndicatorGroup.firstChild) {
            this.focusIndicatorGroup.removeChild(this.focusIndicatorGroup.firstChild)
        }
    }

    destroy() {
        this.chessboard.view.svg.removeEventListener("keydown", this.handleKeyDown)
        this.chessboard.view.svg.removeEventListener("focus", this.handleFocus)
        this.chessboard.view.svg.removeEventListener("blur", this.handleBlur)
        if (this.liveRegion && this.liveRegion.parentNode) {
            this.liveRegion.parentNode.removeChild(this.liveRegion)
        }
        this.clearFocusIndicator()
    }
}
