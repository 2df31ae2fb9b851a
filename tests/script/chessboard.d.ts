// The vendored board has no types of its own: what our modules take of it, unchecked. Nor are the
// rules' types, which are, asked of the pages' modules: those that call them are checked by both.

export const Chess: any
export const Chessboard: any
export const INPUT_EVENT_TYPE: any
export const Accessibility: any
export const Markers: any
export const MARKER_TYPE: any
export const PromotionDialog: any
export const PROMOTION_DIALOG_RESULT_TYPE: any
export const Arrows: any
export const ARROW_TYPE: any
export const RightClickAnnotator: any
