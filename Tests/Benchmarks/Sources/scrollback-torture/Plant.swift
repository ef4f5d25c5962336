/// A fault of a store that is made on purpose, for a test to see that it is found.
enum Plant: String, CaseIterable, Sendable {
  case lostMessage = "lost-message"
  case doubleMessage = "double-message"
  case wrongCount = "wrong-count"
  case changedText = "changed-text"
  case leftover
}

extension Arena {
  /// Makes the fault that a test has asked for.
  func plantFault() throws {
    switch tools.plant {
    case nil: break
    case .lostMessage:
      try change("DELETE FROM message WHERE id = (SELECT max(id) FROM message)", hasTriggers: true)
    case .doubleMessage:
      try change(
        """
        INSERT INTO message(conversation, id, sender, kind, precision, text, revision, features)
          SELECT conversation, id + 1, sender, kind, precision, text, 0, 0 FROM message ORDER BY id DESC LIMIT 1
        """, hasTriggers: true)
    case .wrongCount: try change("UPDATE tally SET inserted = inserted + 1 WHERE scope = 0")
    case .changedText:
      try change(
        "UPDATE message SET text = text || '.' WHERE id = (SELECT max(id) FROM message)", hasTriggers: true)
    case .leftover: plantLeftover()
    }
  }
}
