internal import MessageModel

extension Checker {
  mutating func checkPlatformIDs() throws {
    let ids = PlatformIDs(db: db)
    for (id, fault) in try ids.faults() {
      if repairs { try ids.mend(id, fault) }
      let sentence =
        switch fault {
        case .unreadable: "what its platform calls message #\(id) cannot be read"
        case .lost: "message #\(id) would not be found by what its platform calls it"
        case .taken: "what its platform calls message #\(id) is another message's, too"
        }
      result.add(.duplicates, sentence, isRepaired: repairs)
    }
  }
}
