/// Irregular English forms: `went` of `go`.
package enum IrregularForms {
  /// All forms of a word, including itself; `nil` if it is regular.
  package static func forms(of word: String) -> [String]? { all[word] }

  private static let all: [String: [String]] = lines.reduce(into: [:]) { all, line in
    let forms = line.split(separator: " ").map(String.init)
    // A form of two words counts for the first.
    for form in forms where all[form] == nil { all[form] = forms }
  }

  private static var lines: [Substring] { text.split(separator: "\n") }

  private static let text = """
    become became becomes becoming
    begin began begun beginning begins
    bend bent bends bending
    bet bets betting
    bite bit bitten bites biting
    bleed bled bleeds bleeding
    blow blew blown blows blowing
    break broke broken breaks breaking
    breed bred breeds breeding
    bring brought brings bringing
    build built builds building
    burn burnt burned burns burning
    buy bought buys buying
    catch caught catches catching
    choose chose chosen chooses choosing choice
    come came comes coming
    creep crept creeps creeping
    deal dealt deals dealing
    dig dug digs digging
    draw drew drawn draws drawing
    dream dreamt dreamed dreams dreaming
    drink drank drunk drinks drinking
    drive drove driven drives driving
    eat ate eaten eats eating
    fall fell fallen falls falling
    feed fed feeds feeding
    feel felt feels feeling
    fight fought fights fighting
    find found finds finding
    flee fled flees fleeing
    fly flew flown flies flying
    forget forgot forgotten forgets forgetting
    forgive forgave forgiven forgives forgiving
    freeze froze frozen freezes freezing
    give gave given gives giving
    go went gone goes going
    grow grew grown grows growing
    hang hung hangs hanging
    hear heard hears hearing
    hide hid hidden hides hiding
    hold held holds holding
    keep kept keeps keeping
    kneel knelt kneels kneeling
    know knew known knows knowing
    lay laid lays laying
    lead led leads leading
    lean leant leaned leans leaning
    learn learnt learned learns learning
    leave left leaves leaving
    lend lent lends lending
    lose lost loses losing
    make made makes making
    mean meant means meaning
    meet met meets meeting
    pay paid pays paying
    quit quits quitting
    ride rode ridden rides riding
    ring rang rung rings ringing
    rise rose risen rises rising
    run ran runs running
    say said says saying
    see saw seen sees seeing
    seek sought seeks seeking
    sell sold sells selling
    send sent sends sending
    sew sewn sewed sews sewing
    shake shook shaken shakes shaking
    shine shone shines shining
    shoot shot shoots shooting
    show shown showed shows showing
    shrink shrank shrunk shrinks shrinking
    sing sang sung sings singing
    sink sank sunk sinks sinking
    sit sat sits sitting
    sleep slept sleeps sleeping
    slide slid slides sliding
    smell smelt smelled smells smelling
    speak spoke spoken speaks speaking
    speed sped speeds speeding
    spell spelt spelled spells spelling
    spend spent spends spending
    spill spilt spilled spills spilling
    spin spun spins spinning
    spread spreads spreading
    stand stood stands standing
    steal stole stolen steals stealing
    stick stuck sticks sticking
    sting stung stings stinging
    strike struck stricken strikes striking
    swear swore sworn swears swearing
    sweep swept sweeps sweeping
    swim swam swum swims swimming
    swing swung swings swinging
    take took taken takes taking
    teach taught teaches teaching
    tear tore torn tears tearing
    tell told tells telling
    think thought thoughts thinks thinking
    throw threw thrown throws throwing
    understand understood understands understanding
    wake woke woken wakes waking
    wear wore worn wears wearing
    weave wove woven weaves weaving
    weep wept weeps weeping
    win won wins winning
    wind wound winds winding
    write wrote written writes writing
    bad worse worst
    child children childs
    foot feet
    goose geese
    good better best
    half halves
    knife knives
    life lives
    man men mans
    mouse mice
    person people persons
    shelf shelves
    thief thieves
    tooth teeth
    wife wives
    wolf wolves
    woman women womans
    """
}
