"""What real assets look like. A rule here holds for any expanded asset, whoever made it: tools/survey_otls counts over
public assets how often each is kept, facts.json keeps the counts, and the validator holds our assets to them."""
