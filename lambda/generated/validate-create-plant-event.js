// Generated from openapi.json by `npm run generate`; edits are lost.
"use strict";
export const validate = validate10;
export default validate10;
const schema11 = {"type":"object","required":["body"],"properties":{"body":{"$ref":"openapi.json#/components/schemas/NewPlant"}}};
const schema13 = {"type":"object","description":"Unknown fields are ignored: they are neither stored nor returned. Only a key `__proto__`, or `constructor` with a `prototype`, is rejected with error 1002, at any depth.","required":["id","name"],"properties":{"id":{"int64":true},"name":{"$ref":"#/components/schemas/Plant/properties/name"},"tag":{"$ref":"#/components/schemas/Plant/properties/tag"}}};
const schema14 = {"type":"string","description":"The name of the plant. Stored and returned unchanged; well-formed Unicode, so no lone surrogates.","wellFormed":true};
const schema15 = {"type":"string","description":"Tag that specifies the type of the plant. Stored and returned unchanged; well-formed Unicode.","wellFormed":true};

function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.id === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "id"},message:"must have required property '"+"id"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.name === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "name"},message:"must have required property '"+"name"+"'"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.id !== undefined){
if(typeof data.id !== 'bigint'){
const err2 = {instancePath:instancePath+"/id",schemaPath:"#/properties/id/int64",keyword:"int64",params:{},message:"must be an integer from -9223372036854775808 to 9223372036854775807"};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.name !== undefined){
let data1 = data.name;
if(typeof data1 === "string"){
if(!data1.isWellFormed()){
const err3 = {instancePath:instancePath+"/name",schemaPath:"#/components/schemas/Plant/properties/name/wellFormed",keyword:"wellFormed",params:{},message:"must be well-formed Unicode, and it has a lone surrogate"};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
else {
const err4 = {instancePath:instancePath+"/name",schemaPath:"#/components/schemas/Plant/properties/name/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.tag !== undefined){
let data2 = data.tag;
if(typeof data2 === "string"){
if(!data2.isWellFormed()){
const err5 = {instancePath:instancePath+"/tag",schemaPath:"#/components/schemas/Plant/properties/tag/wellFormed",keyword:"wellFormed",params:{},message:"must be well-formed Unicode, and it has a lone surrogate"};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
else {
const err6 = {instancePath:instancePath+"/tag",schemaPath:"#/components/schemas/Plant/properties/tag/type",keyword:"type",params:{type: "string"},message:"must be string"};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate12.errors = vErrors;
return errors === 0;
}


function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.body === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "body"},message:"must have required property '"+"body"+"'"};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.body !== undefined){
if(!(validate12(data.body, {instancePath:instancePath+"/body",parentData:data,parentDataProperty:"body",rootData}))){
vErrors = vErrors === null ? validate12.errors : vErrors.concat(validate12.errors);
errors = vErrors.length;
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"},message:"must be object"};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}
