internal import MessageModel
internal import MessageStorage

extension Session where R == ScreenReader {
  /// `nil` if the event has its usual meaning.
  mutating func answerInCover(_ event: ReplEvent) throws -> Effects? {
    // Typing replies to the question.
    guard question == nil, let list = reader.cover.list else { return nil }
    switch event {
    case .typed(let line): return try list.narrow(by: line, in: &self)
    case .line(let line): return try list.enter(line, in: &self)
    case .key(let key, let count): return try press(key, count, in: list)
    case .search(let query, _) where list.isModal:
      if let effects = try list.enter(query, in: &self) { return effects }
      _ = list.close(in: &self)
      return nil
    case .search(let words, let direction):
      guard let text = list as? ListingCover else { return nil }
      return try text.find(words, direction, in: &self)
    case .interrupted where list.isModal: return list.close(in: &self)
    case .click(let click): return try self.click(click, in: list)
    case .interrupted, .resized, .storeChanged, .timePassed, .reported, .completions: return nil
    }
  }

  /// A click chooses a row of a list, and a double click goes there.
  private mutating func click(_ click: MouseClick, in list: any ListCover) throws -> Effects {
    var pointed = list
    guard let row = reader.messageRow(of: click),
      try pointed.point(to: row, column: click.column, on: reader, in: context)
    else { return Effects() }
    reader.cover.list = pointed
    return click.isDouble ? try pointed.choose(in: &self) ?? Effects() : Effects()
  }

  /// A click on the scroll bar goes there; a double click on a message shows it whole or, where several conversations
  /// are shown, opens its conversation.
  mutating func click(_ click: MouseClick) throws -> Effects {
    guard question == nil, let row = reader.messageRow(of: click) else { return Effects() }
    if reader.frame.hasScrollBar, click.column == reader.columns - 1 {
      return try emit(go(to: .percent(Double(row) * 100 / Double(max(1, reader.view.height - 1)))))
    }
    guard click.isDouble, let id = reader.message(inRow: row) else { return Effects() }
    let command: ReplCommand = context.openConversation == nil ? .open(.message(id)) : .view(.message(id))
    return try carryOut(TypedCommand(command, .reads))
  }

  private mutating func press(
    _ key: ReplKey, _ count: Int, in list: any ListCover
  ) throws -> Effects? {
    // Over a listing Esc also ends a search that is being typed, and keeps what is typed after it.
    if key == list.key || (key == .close || key == .escape) && !(list is ListingCover) {
      let effects = list.close(in: &self)
      reader.catchUp(in: &context)
      return effects.adding(Effects(emptiesLine: true))
    }
    if key == .choose, let effects = try list.choose(in: &self) { return effects }
    if let motion = key.motion(count), try reader.moveInCover(motion, context) { return Effects() }
    return try list.press(key, in: &self)
  }

  mutating func leaveCover(by command: ReplCommand?) throws -> Effects {
    reader.putAway()
    return try carryOut(command.map { TypedCommand($0, .reads) })
  }

  /// Goes to a place; `/back` returns.
  mutating func leaveCover(to place: Motion) throws -> Effects {
    reader.putAway()
    return try move(place).adding(Effects(emptiesLine: true))
  }
}

extension Session {
  /// Runs the cover's command again in the background, if a change makes that due.
  mutating func followingCover() -> [Job] {
    guard let command = reader.cover.command else {
      lookUps.cover.callOff()
      return []
    }
    guard lookUps.cover.begin() else { return [] }
    return [
      Job(.cover) { [session = self] report, isCancelled in
        var session = session
        // On an error the cover stays; reading the messages reports it.
        let (listing, map): (Listing?, TimeMap?) = SynchronousMessageStore.whileCancellable(by: isCancelled) {
          command == .map
            ? (nil, try? session.renewedMap())
            : (try? session.perform(TypedCommand(command, .reads)).listing, nil)
        }
        report(.cover(listing, map, of: command))
      }
    ]
  }
}

extension ScreenReader {
  /// Replaces the cover by a command's present result, unless something else is shown.
  mutating func take(_ listing: Listing?, _ map: TimeMap?, of command: ReplCommand) {
    guard cover.command == command else { return }
    if var lines = cover[ListingCover.self], var listing {
      listing.command = command
      lines.change(columns: columns, height: view.height) { $0.renew(with: listing) }
      cover.list = lines
    } else if let map {
      cover.list = map
    }
  }
}
