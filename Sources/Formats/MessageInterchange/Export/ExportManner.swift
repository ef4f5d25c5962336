internal import MessageModel

/// The manner in which exports for people show messages.
enum ExportManner {
  case said, action, notice, step, event

  init(_ kind: Message.Kind) {
    switch kind {
    case .text, .unknown: self = .said
    case .action: self = .action
    case .notice: self = .notice
    case .thinking, .tool, .result: self = .step
    case .join, .part, .quit, .nick, .mode, .topic, .kick, .call, .system: self = .event
    }
  }
}
