import Foundation
import TerminalText
import Testing

struct PaletteTests {
  /// What WCAG 2.1 asks for text.
  private let least = 4.5

  @Test(arguments: [Palette.dark, Palette.light])
  func `every colour can be read on every ground it is meant for`(palette: Palette) throws {
    let colors = palette.senders + [palette.dim, palette.notice, palette.problem, palette.own]
    for color in colors {
      let components = try #require(Palette.components(of: color))
      for ground in palette.grounds {
        let contrast = contrast(components, ground)
        #expect(contrast >= least, "\(color) on \(ground): \(contrast)")
      }
    }
  }

  @Test(arguments: [Palette.dark, Palette.light])
  func `text on a ground of its own can be read`(palette: Palette) throws {
    for pair in [palette.status, palette.failure, palette.hit, palette.currentHit, palette.selection] {
      let text = try #require(Palette.components(of: pair.text))
      let ground = try #require(Palette.components(of: pair.ground))
      #expect(contrast(text, ground) >= least, "\(pair)")
    }
  }

  @Test(arguments: [Palette.dark, Palette.light])
  func `hits, the one the reader is at, what is chosen and the status line are told apart`(palette: Palette) {
    let grounds = [palette.status, palette.hit, palette.currentHit, palette.selection].map(\.ground)
    #expect(Set(grounds).count == grounds.count)
    #expect(Set(palette.senders).count == palette.senders.count)
  }

  @Test func `the contrast is that of the definition`() {
    #expect(contrast([0, 0, 0], [255, 255, 255]) == 21)
    #expect(abs(contrast([0x77, 0x77, 0x77], [255, 255, 255]) - 4.48) < 0.01)
  }

  @Test(arguments: [
    ("15;0", Palette.dark), ("0;15", .light), ("0;default;7", .light), ("x", .dark), ("", .dark),
  ])
  func `a terminal that tells its ground has colours for it`(told: String, palette: Palette) {
    let environment = ["COLORFGBG": told]
    #expect(Theme.auto.palette(in: [:]) == .dark)
    #expect(Theme.auto.palette(in: environment) == palette)
    #expect(Theme.light.palette(in: environment) == .light && Theme.dark.palette(in: environment) == .dark)
  }

  /// Returns the contrast of two colours, from 1 to 21, as WCAG 2.1 defines it.
  ///
  /// - SeeAlso: <https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio>.
  private func contrast(_ one: [Int], _ other: [Int]) -> Double {
    let (light, dark) = (max(luminance(one), luminance(other)), min(luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)
  }

  private func luminance(_ components: [Int]) -> Double {
    let linear = components.map { component in
      let share = Double(component) / 255
      return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }
}
