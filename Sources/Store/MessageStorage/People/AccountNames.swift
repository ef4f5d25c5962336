internal import HistoryModel
internal import MessageModel

struct AccountNames {
  private let senders: [SenderSummary]
  private let accounts: Set<SenderAccount>
  private let byName: [String: [SenderSummary]]
  private let byFoldedName: [String: [SenderSummary]]
  private let byHead: [Sender.ID: [SenderSummary]]

  init(_ senders: [SenderSummary]) {
    self.senders = senders
    accounts = Set(senders.map(\.account))
    byName = Dictionary(grouping: senders) { $0.sender.name }
    byFoldedName = Dictionary(grouping: senders) { $0.sender.name.lowercased() }
    byHead = Dictionary(grouping: senders) { $0.aliasOf ?? $0.sender.id }
  }

  /// Returns the account with this id or typed form, else those of senders with this name, and their aliases.
  /// Throws `notFound` with the nearest name, or `invalidRequest` if the name is ambiguous.
  func accounts(called text: String) throws(StoreError) -> [SenderAccount] {
    let exact: [SenderAccount?] = [.id(text), SenderAccount(typed: text)]
    if let found = exact.compactMap(\.self).first(where: accounts.contains) { return [found] }
    guard let named = byName[text] ?? byFoldedName[text.lowercased()] else { throw noSender(text) }
    let heads = Set(named.map { $0.aliasOf ?? $0.sender.id })
    let own = Set(named.map(\.account))
    guard heads.count == 1 || own.count == 1 else {
      let told = own.map(\.typed).sorted().prefix(5).map { "'\(VisibleText.of($0))'" }
      throw StoreError(
        .invalidRequest, "'\(VisibleText.of(text))' fits several accounts",
        cause: "\(own.count) accounts have this name: \(told.joined(separator: ", "))",
        remedy: "one of them as it stands here")
    }
    let aliases = heads.flatMap { byHead[$0] ?? [] }.map(\.account)
    return own.union(aliases).sorted { $0.text < $1.text }
  }

  private func noSender(_ text: String) -> StoreError {
    let near = Nearest.name(to: text, among: senders.map(\.sender.name))
    return StoreError(
      .notFound, "no sender '\(VisibleText.of(text))'",
      cause: near.map { "did you mean '\(VisibleText.of($0))'?" },
      remedy: near == nil ? .listSenders : nil)
  }
}

extension SenderAccount {
  fileprivate init?(typed text: String) {
    if text.hasPrefix("id:") {
      self = .id(String(text.dropFirst("id:".count)))
    } else if text.hasPrefix("name:") {
      self = .name(String(text.dropFirst("name:".count)))
    } else {
      return nil
    }
  }
}
