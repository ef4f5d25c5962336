internal import ArgumentParser
internal import TerminalText

enum ColorOption: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never

  var choice: TerminalTraits.ColorChoice {
    switch self {
    case .auto: .auto
    case .always: .always
    case .never: .never
    }
  }
}
