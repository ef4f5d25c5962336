internal import MessageModel
internal import MessageStorage

/// `/star`.
extension Session {
  mutating func star(_ id: Message.ID) throws -> Effects {
    guard let message = try context.message(id) else { throw context.noMessage(id) }
    let store = context.store
    if let time = message.starredAt {
      try store.unstar([id])
      context.remember(.starRemoval, of: message) { () throws(StoreError) in try store.star([id], at: time) }
      return changed(.echo("star removed"))
    }
    try store.star([id])
    context.remember(.star, of: message) { () throws(StoreError) in try store.unstar([id]) }
    return changed(.echo("starred; repeat to remove it"))
  }
}
