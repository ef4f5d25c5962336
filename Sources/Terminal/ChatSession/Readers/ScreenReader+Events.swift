internal import MessageModel

extension ScreenReader {
  /// Answers what is for a screen alone: events in what covers the messages, and what was read and drawn elsewhere.
  package static func answer(
    _ event: ReplEvent, _ session: inout Session<ScreenReader>
  ) throws -> Effects? {
    session.reader.note(event)
    let inCover: Effects? =
      switch session.reader.cover {
      case .none: nil
      case .listing(let lines): try session.answer(event, in: lines.listing)
      case .hits: try session.answerInHits(event)
      case .map: try session.answerInMap(event)
      case .switcher: try session.answerInSwitcher(event)
      case .gallery: try session.answerInGallery(event)
      }
    if let inCover { return inCover }
    switch event {
    case .reported(let report): return try session.reader.take(report, in: &session.context) ? Effects() : nil
    case .timePassed: try session.reader.timePassed(in: &session.context)
    case .interrupted where session.typing == nil && session.reader.stopReading():
      return try session.tell(Effects(.stopped(.pages)))
    case .line, .typed, .search, .key, .resized, .storeChanged, .interrupted, .completions: break
    }
    return nil
  }

  /// Puts away what was to be seen until this event.
  private mutating func note(_ event: ReplEvent) {
    switch event {
    case .resized, .storeChanged, .timePassed, .reported: break
    case .completions: hint = []
    case .line, .typed, .search, .interrupted: (hint, choices) = ([], nil)
    case .key: (hint, choices, notice) = ([], nil, nil)
    }
  }
}
