internal import MessageModel

/// The line being typed: whose it is, and what it means when it is finished.
extension Session {
  /// The thing open that takes the line being typed.
  enum Open: Hashable { case nothing, list, search, question }

  var open: Open {
    if typing != nil { return .search }
    if question != nil { return .question }
    return reader.cover.isShown ? .list : .nothing
  }

  /// The use of a line that is not a command, for completion.
  var lineUse: Completion.Line {
    if question != nil { return .other }
    switch reader.cover {
    case .none: return context.openConversation == nil ? .other : .message
    case .hits: return .query
    case .map: return .other
    case .gallery: return .query
    case .switcher: return .name(.conversations)
    case .listing(let lines):
      switch lines.listing.choice {
      case .conversation: return .name(.conversations)
      case .mark: return .name(.marks)
      case .session: return .query
      case .nothing, .place, .thread, .exchange, .command: return .other
      }
    }
  }

  /// Returns the line if an event drops it, else `nil`: text typed into a list goes with it, however it is put away,
  /// and must not become a message. Commands stay, but Esc is for all.
  func lineDropped(by event: ReplEvent, _ before: Open) -> String? {
    switch event {
    case .line, .completions, .interrupted: return nil
    case .key(.escape, _): return before == .nothing || open == before ? nil : typedLine
    case .typed, .search, .key, .resized, .storeChanged, .timePassed, .reported:
      let isPutAway = before == .list && open != .list
      return isPutAway && !typedLine.hasPrefix("/") ? typedLine : nil
    }
  }

  /// The meaning of a line.
  private enum Meaning {
    case command(TypedCommand?)
    case foreign(ForeignCommand)
    /// It was typed while something else had the keyboard: it comes back into the line.
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
    let isOfOther = typing != nil || isLineOrphaned
    (typedLine, isLineOrphaned) = ("", false)
    do {
      ended = try endTyping()
      reader.putAway()
      let new = try self.meaning(of: line, in: cover, isOfOther: isOfOther)
      meaning = new
      switch new {
      case .command(let command): return ended.adding(try carryOut(keepingPreview(command, of: line)))
      case .foreign(let foreign): return ended.adding(try tell(Effects(.question(foreign.question))))
      case .unsent:
        var effects = Effects(.notice("nothing was sent yet: Enter sends this line"))
        effects.line = line
        return ended.adding(try tell(effects))
      }
    } catch let error as StoreError where error.kind == .cancelled {
      // Half of the way is nowhere.
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

  /// Returns what a line means: in a list, a choice; else a command, a message or the answer to a question.
  ///
  /// - Parameter isOfOther: Whether it began as something else than a message.
  private mutating func meaning(of line: String, in cover: Cover, isOfOther: Bool) throws -> Meaning {
    if CommandParser.isCommand(line) {
      question = nil
      return .command(try CommandParser.command(in: line))
    }
    if question == nil, cover.takesLines {
      return .command(try cover.command(choosing: line).map { TypedCommand($0, .reads) })
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
      // One line is one thing: what does not answer a question is no message, either.
      question = nil
      return .unsent
    }
    question = nil
    return .command(try CommandParser.command(in: line))
  }

  /// Returns the message that a line is the letter of, where nothing that is typed is a message; `nil` if it is none.
  private func messageCalled(by line: String) -> Message.ID? {
    guard context.openConversation == nil, reader.traits.hasLine else { return nil }
    return CommandArguments.target(line.trimming(while: \.isWhitespace)).flatMap { try? id(of: $0) }
  }

  /// Takes the answer to the question that was asked, and returns the command that it leads to; `nil` for none.
  private mutating func take(_ answer: Question.Answer) -> TypedCommand? {
    if answer.command != nil, let permitted = question?.permits { context.permitted.insert(permitted) }
    question = nil
    return answer.command
  }

  /// Carries out what a line means, and tells what came of it.
  mutating func carryOut(_ command: TypedCommand?) throws -> Effects {
    let effects = try tell(command.map { try perform($0) } ?? Effects())
    try reader.catchUp(in: &context)
    return effects
  }
}

extension ReplEvent {
  /// Whether it came from who types.
  var isOfKeyboard: Bool {
    switch self {
    case .line, .typed, .search, .key, .interrupted, .completions: true
    case .resized, .storeChanged, .timePassed, .reported: false
    }
  }
}
