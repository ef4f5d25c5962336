internal import Foundation

/// Colours for a background, from xterm's 256, which all terminals share: the cube and the greys.
///
/// Their contrast on each background is at least 4.5, as WCAG 2.1 requires for text.
package struct Palette: Hashable, Sendable {
  package struct Pair: Hashable, Sendable {
    package let text: Int
    package let ground: Int
  }

  /// Typical backgrounds, as red, green and blue from 0 to 255.
  package let grounds: [[Int]]
  package let senders: [Int]
  /// For secondary text.
  package let dim: Int
  package let notice: Int
  package let problem: Int
  /// For the reader's name.
  package let own: Int
  /// For the lines of a diff.
  package let added: Int
  package let removed: Int
  package let place: Int
  /// For code in messages.
  package let code: Int
  package let status: Pair
  package let failure: Pair
  package let hit: Pair
  package let currentHit: Pair
  package let selection: Pair

  /// For black, dark grey, and Solarized's dark background.
  package static let dark = Palette(
    grounds: [[0, 0, 0], [0x30, 0x30, 0x30], [0x00, 0x2B, 0x36]],
    senders: [
      35, 43, 45, 75, 79, 73, 106, 107, 111, 141, 153, 158, 174, 149, 205, 207, 172, 209, 219, 183, 222, 186,
      114, 117,
    ],
    dim: 247, notice: 221, problem: 210, own: 213, added: 114, removed: 210, place: 80, code: 180,
    status: Pair(text: 250, ground: 236),
    failure: Pair(text: 231, ground: 124), hit: Pair(text: 16, ground: 222),
    currentHit: Pair(text: 16, ground: 208), selection: Pair(text: 231, ground: 24))

  /// For white, light grey, and Solarized's light background.
  package static let light = Palette(
    grounds: [[0xFF, 0xFF, 0xFF], [0xEE, 0xEE, 0xEE], [0xFD, 0xF6, 0xE3]],
    senders: [
      18, 20, 22, 23, 24, 25, 26, 53, 54, 55, 57, 58, 88, 89, 90, 92, 94, 124, 125, 126, 127, 160, 56, 52,
    ],
    dim: 242, notice: 94, problem: 160, own: 127, added: 22, removed: 124, place: 24, code: 95,
    status: Pair(text: 238, ground: 254),
    failure: Pair(text: 231, ground: 124), hit: Pair(text: 16, ground: 222),
    currentHit: Pair(text: 231, ground: 160), selection: Pair(text: 231, ground: 24))
}

extension Palette {
  /// Returns one of xterm's 256 colours as red, green and blue from 0 to 255; `nil` for the sixteen that
  /// terminals define themselves. See `256colres.pl` of xterm.
  package static func components(of index: Int) -> [Int]? {
    switch index {
    case 16...231:
      let levels = [0, 95, 135, 175, 215, 255]
      return [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map { levels[$0] }
    case 232...255: return Array(repeating: 8 + 10 * (index - 232), count: 3)
    default: return nil
    }
  }
}

extension Palette {
  /// Returns the palette for a background given as red, green and blue from 0 to 255.
  package static func on(_ ground: [Int]) -> Palette {
    // At this luminance black and white have the same contrast: (1 + 0.05) / (l + 0.05) = (l + 0.05) / 0.05.
    luminance(of: ground) > 0.179 ? .light : .dark
  }

  /// The relative luminance, from 0 to 1: <https://www.w3.org/TR/WCAG21/#dfn-relative-luminance>.
  package static func luminance(of color: [Int]) -> Double {
    let linear = color.map { component in
      let part = Double(component) / 255
      return part <= 0.03928 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
    }
    return zip(linear, [0.2126, 0.7152, 0.0722]).reduce(0) { $0 + $1.0 * $1.1 }
  }
}

package enum Theme: String, Hashable, Sendable, CaseIterable {
  /// As a window's terminal reports, else as the environment says, else dark.
  case auto
  case dark, light

  /// - Parameter own: The palette for the terminal's background.
  package func palette(own: Palette) -> Palette {
    switch self {
    case .dark: .dark
    case .light: .light
    case .auto: own
    }
  }

  /// `COLORFGBG` tells the background in some terminals (rxvt, Konsole): `15;0` is white on black.
  package func palette(in environment: [String: String]) -> Palette {
    let ground = environment["COLORFGBG"]?.split(separator: ";").last.flatMap { Int($0) }
    return palette(own: ground == 7 || ground == 15 ? .light : .dark)
  }
}
