internal import MessageModel

struct InputLine: Hashable, Sendable {
  var text = ""
  /// Whether it began in something that closed without a key: the rest of it is no message.
  var isOrphaned = false
  /// The line before the switcher opened, restored when it closes.
  var aside: String?
  /// The last restored line, which was not typed again.
  var restored: String?
}

extension Session {
  enum Open: Hashable { case nothing, list, search, question }

  var open: Open {
    if typing != nil { return .search }
    if question != nil { return .question }
    return reader.cover.isShown ? .list : .nothing
  }

  var lineUse: Completion.Line {
    if question != nil { return .other }
    return reader.cover.list?.lineUse ?? (context.openConversation == nil ? .other : .message)
  }

  /// Text typed into a list must not become a message when the list closes. Commands stay, except at Esc.
  func lineDropped(by event: ReplEvent, _ before: Open) -> String? {
    switch event {
    case .line, .click, .completions, .interrupted: return nil
    case .key(.escape, _): return before == .nothing || open == before ? nil : input.text
    case .typed, .search, .key, .resized, .storeChanged, .timePassed, .reported:
      let isPutAway = before == .list && open != .list
      return isPutAway && !input.text.hasPrefix("/") ? input.text : nil
    }
  }

  private enum Meaning {
    case command(TypedCommand?)
    case foreign(ForeignCommand)
    /// Typed while something else had the keyboard: it returns to the line.
    case unsent

    var command: TypedCommand? {
      switch self {
      case .command(let command): command
      case .foreign, .unsent: nil
      }
    }
  }

  mutating func respond(toLine line: String) -> Effects {
    let before = self
    var ended = Effects()
    let cover = reader.cover
    var meaning: Meaning?
    let isOfOther = typing != nil || input.isOrphaned
    (input.text, input.isOrphaned) = ("", false)
    do {
      ended = try endTyping()
      reader.putAway()
      let new = try self.meaning(of: line, in: cover, isOfOther: isOfOther)
      meaning = new
      switch new {
      case .command(let command): return ended.adding(try carryOut(keepingPreview(command, of: line)))
      case .foreign(let foreign): return ended.adding(try emit(Effects(.question(foreign.question))))
      case .unsent:
        var effects = Effects(.notice("not sent yet: Enter sends this line"))
        effects.line = line
        return ended.adding(try emit(effects))
      }
    } catch let error as StoreError where error.kind == .cancelled {
      // A cancelled command leaves the session where it was.
      self = before
      ended = Effects()
      reader.complain(error)
    } catch {
      reader.complain(error)
      if cover.isShown { reader.cover = cover }
    }
    ended.line = meaning?.command?.lineToTryAgain
    return ended
  }

  /// - Parameter isOfOther: Whether the line began as something other than a message.
  private mutating func meaning(of line: String, in cover: Cover, isOfOther: Bool) throws -> Meaning {
    if CommandParser.isCommand(line) {
      question = nil
      return .command(try CommandParser.command(in: line))
    }
    if question == nil, let list = cover.list {
      return .command(try list.command(choosing: line).map { TypedCommand($0, .reads) })
    }
    if question == nil, let id = messageCalled(by: line) {
      return .command(TypedCommand(.open(.message(id)), .reads))
    }
    let isMessage = line.contains { !$0.isWhitespace }
    if isMessage, reader.traits.hasLine, isOfOther { return .unsent }
    let asked = question
    if let asked {
      if let answer = asked.answer(line.trimming(while: \.isWhitespace)) { return .command(take(answer)) }
      guard asked.isPassing else { throw asked.misunderstanding }
    }
    if reader.traits.hasLine, let foreign = ForeignCommand(line) {
      if isReadOnly || context.openConversation == nil, let command = foreign.command {
        return .command(command)
      }
      if context.openConversation != nil { return .foreign(foreign) }
    } else if isMessage, asked != nil {
      // A line that is no reply must not become a message.
      question = nil
      return .unsent
    }
    question = nil
    return .command(try CommandParser.command(in: line))
  }

  /// The message named by its letter, where typed text is no message.
  private func messageCalled(by line: String) -> Message.ID? {
    guard context.openConversation == nil, reader.traits.hasLine else { return nil }
    return CommandArguments.target(line.trimming(while: \.isWhitespace)).flatMap { try? id(of: $0) }
  }

  private mutating func take(_ answer: Question.Answer) -> TypedCommand? {
    if answer.command != nil, let permitted = question?.permits { context.permitted.insert(permitted) }
    question = nil
    return answer.command
  }

  mutating func carryOut(_ command: TypedCommand?) throws -> Effects {
    let effects = try emit(command.map { try perform($0) } ?? Effects())
    try reader.catchUp(in: &context)
    return effects
  }
}

extension ReplEvent {
  var isOfKeyboard: Bool {
    switch self {
    case .line, .typed, .search, .key, .click, .interrupted, .completions: true
    case .resized, .storeChanged, .timePassed, .reported: false
    }
  }
}
