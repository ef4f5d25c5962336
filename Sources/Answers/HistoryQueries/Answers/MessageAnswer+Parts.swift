extension MessageAnswer {
  static let fewest = 20
  private static let shortTextByteCount = 4_096

  /// The message with everything but its names cut to a bounded size.
  package var shortened: MessageAnswer {
    var short = self
    if let text, text.utf8.count > Self.shortTextByteCount {
      short.textBytes = textBytes ?? text.utf8.count
      short.text = String(text.utf8Part(from: 0, count: Self.shortTextByteCount))
    }
    short.reactions = reactions?.prefix(Self.fewest).map { reaction in
      var reaction = reaction
      reaction.senders = reaction.senders.map { Array($0.prefix(Self.fewest)) }
      return reaction
    }
    short.attachments = attachments.map { Array($0.prefix(Self.fewest)) }
    (short.edits, short.payload) = (nil, nil)
    short.source?.original = nil
    return short
  }

  package func part(from start: Int, byteCount: Int) -> (MessageAnswer, next: Int?) {
    guard let text, start > 0 || text.utf8.count > byteCount else { return (self, nil) }
    let shown = text.utf8Part(from: start, count: byteCount)
    var part = self
    (part.text, part.textBytes) = (String(shown), text.utf8.count)
    let end = text.utf8.distance(from: text.startIndex, to: shown.endIndex)
    return (part, shown.endIndex < text.endIndex ? end : nil)
  }
}

extension HitAnswer {
  var shortened: HitAnswer {
    var short = self
    short.message = message.shortened
    let length = short.message.text?.utf8.count ?? 0
    short.found.matches = found.matches.map {
      $0.filter { $0.end <= length }.prefix(MessageAnswer.fewest).map(\.self)
    }
    short.found.before = found.before?.map(\.shortened)
    short.found.after = found.after?.map(\.shortened)
    return short
  }
}

extension String {
  /// Returns at most `count` bytes of UTF-8, without cutting a Unicode scalar.
  package func utf8Part(from start: Int, count: Int) -> Substring {
    var first = utf8.index(startIndex, offsetBy: max(start, 0), limitedBy: endIndex) ?? endIndex
    while first < endIndex, first.samePosition(in: unicodeScalars) == nil { first = utf8.index(after: first) }
    var end = utf8.index(first, offsetBy: max(count, 0), limitedBy: endIndex) ?? endIndex
    while end > first, end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
    return self[first..<end]
  }
}
