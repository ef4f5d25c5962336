internal import ArgumentParser
internal import Foundation
internal import MessageModel
internal import MessageShell
internal import MessageStorage

struct Open: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Read and write in a full-screen window.",
    discussion: """
      Without a terminal on standard input the same commands are read from there, a line each.

      Examples:
        scrollback open general
        printf '/goto 50%%\\n/older 10\\n' | scrollback -c general
      """)

  @Argument(help: ArgumentHelp("The conversation (the one last open).", valueName: "conversation"))
  var name: String?

  @Flag(help: "In a script: go on after a command that failed.")
  var keepGoing = false

  @Flag(help: "Leave the mouse wheel to the terminal.")
  var noMouse = false

  @Option(help: ArgumentHelp("When to use colours: auto, always or never.", valueName: "when"))
  var color = ColorOption.auto

  @OptionGroup var conversation: ConversationOption
  @OptionGroup var common: CommonOptions

  func validate() throws {
    if conversation.all {
      throw ValidationError("a window shows one conversation: --all is for other commands")
    }
    if (name == nil ? 0 : 1) + conversation.conversation.count > 1 {
      throw ValidationError("a window shows one conversation")
    }
  }

  func run() async throws {
    let environment = ProcessInfo.processInfo.environment
    let isTyped = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    let zone = try common.zone()
    let store = try MessageStore(
      path: common.path, options: StoreOptions(access: isTyped ? .create : .readWrite))
    defer { store.close() }
    let state = StateFolder(environment: environment)
    let opened = try OpenChoice.conversation(
      named: name ?? conversation.conversation.first, lastOpen: state.lastOpen(in: store.path), in: store)
    let context = ReplContext(
      store: store, conversation: opened, me: environment["USER"] ?? "me", zone: zone, now: systemTime)
    let traits = TerminalTraits(environment: environment, color: color.choice)
    if isTyped, traits.isCapable {
      state.rememberOpen(opened.name, in: store.path)
      try await show(context, store, traits, state)
    } else {
      try runScript(context, isTyped: isTyped)
    }
  }

  private func show(
    _ context: ReplContext, _ store: MessageStore, _ traits: TerminalTraits, _ state: StateFolder
  ) async throws {
    guard let wake = WakePipe() else {
      throw UsageError("cannot open a pipe", cause: "too many files are open", status: .inputOutput)
    }
    let watching = Task.detached {
      for await _ in store.changes() { wake.wake(WakePipe.storeChanged) }
    }
    defer { watching.cancel() }
    let usesWheel = !noMouse
    try await MainActor.run {
      let loop = try ReadlineLoop(
        context, wake: wake, encoder: traits.encoder, state: state, storePath: store.path,
        usesWheel: usesWheel)
      loop.run()
    }
  }

  private func runScript(_ context: ReplContext, isTyped: Bool) throws {
    let console = common.console()
    var session = ScriptSession(
      context, appendsText: isTyped,
      write: { text in
        console.write(text)
        console.flush()  // Whoever drives us through a pipe waits for the answer.
      },
      complain: { console.complain("scrollback: \($0)") })
    let status = session.run(lines: { readLine() }, keepsGoing: keepGoing || isTyped)
    console.flush()
    try status.leave()
  }
}

/// ``TerminalTraits/ColorChoice`` as an option.
enum ColorOption: String, ExpressibleByArgument, CaseIterable {
  case auto, always, never

  var choice: TerminalTraits.ColorChoice {
    switch self {
    case .auto: .auto
    case .always: .always
    case .never: .never
    }
  }
}
