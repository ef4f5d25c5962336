internal import MessageModel

extension ReplSession {
  /// Has histories imported while the reader goes on.
  mutating func load(_ request: TransferRequest) throws -> Outcome {
    // What cannot be read is told at once.
    _ = try request.importCommand(zone: context.zone)
    return try transfer("importing …") { context, redraw, isCancelled in
      let outcome = try context.load(request, redraw: redraw, isCancelled: isCancelled)
      return ([outcome.summary] + outcome.skipped.prefix(1)).joined(separator: "; ")
    }
  }

  /// Has what is shown exported while the reader goes on.
  mutating func export(_ request: TransferRequest) throws -> Outcome {
    _ = try request.exportTarget(zone: context.zone)
    return try transfer("exporting …") { context, redraw, isCancelled in
      try context.export(request, redraw: redraw, isCancelled: isCancelled)
    }
  }

  /// Has a file attached to a message of mine while the reader goes on: it may be large.
  mutating func attach(_ file: String, _ text: String) throws -> Outcome {
    try transfer("attaching …") { context, _, _ in
      let other = try context.store.reopened()
      defer { other.close() }
      try context.attach(file, text, in: other)
      return "attached \(SafeText.oneLine(file))"
    }
  }

  private mutating func transfer(
    _ beginning: String,
    _ body:
      @escaping @Sendable (
        ReplContext, _ redraw: @escaping @Sendable (String) -> Void,
        _ isCancelled: @escaping @Sendable () -> Bool
      ) throws -> String
  ) throws -> Outcome {
    if let transfer {
      throw UsageError("one thing after the other", cause: transfer, remedy: "Ctrl-C stops it")
    }
    transfer = beginning
    let work = BackgroundWork(.transfer) { [context] report, isCancelled in
      let redraw: @Sendable (String) -> Void = { if !$0.isEmpty { report(.progress($0)) } }
      report(.ended(try body(context, redraw, isCancelled)))
    }
    return Outcome(works: [work])
  }
}
